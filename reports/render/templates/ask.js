// The panel of questions: choices on top, a chart and a table that follow.
const asked = JSON.parse(document.getElementById("asked").textContent);
const panel = document.getElementById("ask");
const FILTERS = ["players", "variant", "seat", "faction"];
// What only some tables distinguish, such as the place at which a pick was taken, is shown with these.
const OWN = [...new Set(asked.tables.flatMap(table => table.others))].filter(column => ![...FILTERS, "strategy"].includes(column));
const percent = share => `${(100 * share).toFixed(2)} %`;
const points = edge => { const text = (100 * edge).toFixed(2); return (text > 0 ? `+${text}` : text.replace("-", "\u2212").replace(/^\u2212(0\.00)$/, "$1")); };
const between = (low, high) => low === null ? "-" : `${(100 * low).toFixed(2)} to ${(100 * high).toFixed(2)}`;
const count = number => number.toLocaleString("en");
const state = { table: 0, players: null, variant: null, seat: null, faction: null, strategy: null };
let drawn = Promise.resolve(null);

function build() {
  const form = panel.querySelector("form");
  const rows = select("rows", "Compare", asked.tables.map((table, at) => [at, asked.titles[table.rows]]), place => { state.table = Number(place); });
  form.append(rows);
  for (const column of [...FILTERS, ...OWN]) {
    const levels = asked.levels[column] ?? [];
    if (levels.length < 2) continue;
    form.append(choice(column, levels));
  }
  const strategies = asked.levels.strategy;
  if (strategies.length > 1) form.append(asked.everyCompany ? boxes(strategies) : choice("strategy", strategies));
  panel.hidden = false;
  document.querySelectorAll("nav a[href='#ask']").forEach(link => { link.hidden = false; });
}
function choice(column, levels) {
  const options = [["", "all"], ...levels.map((level, place) => [place, level.name])];
  return select(column, asked.titles[column], options, place => { state[column] = place === "" ? null : new Set([Number(place)]); });
}
function select(name, title, options, chosen) {
  const label = document.createElement("label"), list = document.createElement("select");
  list.name = name;
  list.setAttribute("aria-label", title);
  list.append(...options.map(([value, text]) => new Option(text, value)));
  list.addEventListener("change", () => { chosen(list.value); show(); });
  label.append(title, list);
  return label;
}
// Strategies: any set of them; all are chosen at first.
function boxes(strategies) {
  const set = document.createElement("fieldset"), legend = document.createElement("legend");
  legend.textContent = "Players";
  const ticks = strategies.map((level, place) => {
    const label = document.createElement("label"), box = document.createElement("input");
    Object.assign(box, { type: "checkbox", name: "strategy", value: place, checked: true });
    box.addEventListener("change", take);
    label.append(box, level.name);
    return label;
  });
  const boxesOf = () => ticks.map(tick => tick.firstChild);
  const buttons = [["all", true], ["none", false]].map(([text, value]) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text });
    button.addEventListener("click", () => { boxesOf().forEach(box => { box.checked = value; }); take(); });
    return button;
  });
  function take() {
    const taken = boxesOf().filter(box => box.checked).map(box => Number(box.value));
    state.strategy = taken.length === strategies.length ? null : new Set(taken);
    show();
  }
  const both = document.createElement("span");
  both.append(...buttons);
  set.append(legend, ...ticks, both);
  return set;
}
// Rows of the table that was asked for, the widest edge first, and what all its rows win. A player who wins more than
// others wins more in every row, so that a row is marked where it surely lies beyond what all rows win.
function answer(table) {
  const all = winRates(asked, table, { ...state, [table.rows]: null });
  const games = all.reduce((sum, row) => sum + row.games, 0);
  const meanOf = name => all.reduce((sum, row) => sum + row[name] * row.games, 0) / games;
  const mean = { share: meanOf("share"), fair: meanOf("fair"), edge: meanOf("edge") };
  const shown = all.filter(row => !state[table.rows] || state[table.rows].has(row.row));
  shown.sort((a, b) => b.edge - a.edge || a.row - b.row);
  return { mean, rows: shown.map(row => written(row, asked.levels[table.rows][row.row].name, mean.edge)) };
}
function written(row, name, mean) {
  // Plain win rates of a league mark no row: who played is not allowed for.
  const judged = !asked.plain && row.edgeLow !== null;
  const above = judged && row.edgeLow > mean, below = judged && row.edgeHigh < mean;
  return {
    ...row, name, tone: above ? "strong" : below ? "weak" : "", wins: percent(row.share), interval: between(row.low, row.high),
    fairly: percent(row.fair), points: points(row.edge), seatGames: count(row.games), blocksHeld: count(row.blocks),
  };
}
function show() {
  const table = asked.tables[state.table], { rows, mean } = answer(table);
  for (const list of panel.querySelectorAll("select")) {
    // What a table does not distinguish cannot be chosen.
    const known = ["rows", "players", "variant", table.rows, ...table.others].includes(list.name);
    list.disabled = !known;
    if (OWN.includes(list.name)) list.parentElement.hidden = !known;
    list.title = known ? "" : "this table does not distinguish it";
  }
  const games = rows.reduce((sum, row) => sum + row.games, 0);
  panel.querySelector("output").textContent = games
    ? `${count(games)} seat-games. All rows together win ${percent(mean.share)}, fair is ${percent(mean.fair)}. ${table.note}`
    : "This run has no such games, or no player is chosen.";
  warn(table);
  fill(table, rows);
  draw(rows, !games || Math.abs(mean.edge) < 5e-4 ? [] : [{ mean: 100 * mean.share }]);
}
// What a league's plain win rates are, for these choices; nothing on other pages.
function warn(table) {
  const said = panel.querySelector(".cautions");
  said.hidden = !asked.plain;
  if (!asked.plain) return;
  const told = ["players", "variant", "strategy", table.rows, ...table.others];
  const chosen = told.filter(column => state[column] instanceof Set);
  const part = chosen.length === 1 && table.rows === "faction" && asked.plain.parts.includes(chosen[0]);
  said.textContent = asked.plain[chosen.length ? (part ? "part" : "combination") : "whole"];
}
function fill(table, rows) {
  const sheet = panel.querySelector("table");
  sheet.tHead.querySelector("th").querySelector("button, span").textContent = asked.titles[table.rows];
  sheet.querySelectorAll("th[aria-sort]").forEach(head => head.removeAttribute("aria-sort"));
  sheet.tBodies[0].replaceChildren(...rows.map(row => {
    const line = document.createElement("tr"), head = document.createElement("th");
    head.scope = "row";
    head.className = "text";
    const card = asked.cards[row.name];
    const name = card && table.rows === "faction" ? Object.assign(document.createElement("a"), { href: card }) : document.createElement("span");
    name.textContent = row.name;
    head.append(name);
    const cells = [["points", "edge"], ["wins", "share"], ["interval", "low"], ["fairly", "fair"], ["seatGames", "games"], ["blocksHeld", "blocks"]];
    line.className = row.tone;
    line.append(head, ...cells.map(([text, value]) => {
      const cell = document.createElement("td");
      cell.textContent = row[text];
      cell.dataset.value = row[value] ?? "";
      return cell;
    }));
    return line;
  }));
}
// One picture at a time: a choice made during drawing is drawn next.
function draw(rows, middle) {
  const shown = rows.map(row => ({ ...row, at: 100 * row.share, from: inPoints(row.low), to: inPoints(row.high), just: 100 * row.fair }));
  drawn = drawn.then(async view => {
    if (!view) return embed({ rows: shown, middle });
    await view.data("rows", shown).data("middle", middle).height(heightOf(shown)).runAsync();
    return view;
  });
}
const heightOf = rows => 60 + 24 * rows.length;
const inPoints = share => share === null ? null : 100 * share;
async function embed(datasets) {
  // The interpreter makes no code from text, so that the page works where that is forbidden.
  const options = { mode: "vega-lite", ast: true, renderer: "svg", actions: false, logLevel: 1 };
  const { view } = await vegaEmbed(panel.querySelector(".chart"), { ...asked.chart, height: heightOf(datasets.rows), datasets }, options);
  view.addEventListener("click", (event, item) => {
    const name = item?.datum?.name ?? item?.datum?.value;
    if (asked.tables[state.table].rows === "faction" && name in asked.cards) location.assign(asked.cards[name]);
  });
  return view;
}
// The choices stand in the link, by the names of levels: #ask?rows=Seat&strategy=balanced,military.
function fromLink() {
  const [place, words] = location.hash.slice(1).split("?");
  if (place !== "ask" || !words) return;
  for (const [column, value] of new URLSearchParams(words)) {
    const names = value.split("\u001f"), list = panel.querySelector(`select[name="${column}"]`);
    if (list) {
      list.value = [...list.options].find(option => option.text === names[0])?.value ?? list.value;
      list.dispatchEvent(new Event("change"));
    } else {
      panel.querySelectorAll(`input[name="${column}"]`).forEach(box => { box.checked = names.includes(box.parentElement.textContent); });
      panel.querySelector(`input[name="${column}"]`)?.dispatchEvent(new Event("change"));
    }
  }
  panel.scrollIntoView();
}
panel.reproduce = () => {
  const rows = asked.tables[state.table].rows, words = new URLSearchParams({ rows: asked.titles[rows] }), kept = [];
  for (const [column, places] of Object.entries(state)) {
    if (column === "table" || !places) continue;
    const levels = [...places].map(place => asked.levels[column][place]);
    words.set(column, levels.map(level => level.name).join("\u001f"));
    kept.push([column, levels.map(level => level.value ?? level.name)]);
  }
  const plain = ["players", "variant", "seat", "faction", "strategy"], column = name => `pl.col("${name}").cast(pl.String)`;
  if (!document.body.dataset.seats || ![rows, ...kept.map(([name]) => name)].every(name => plain.includes(name))) return { link: `ask?${words}`, calls: [] };
  const filters = kept.map(([name, levels]) => `.filter(${column(name)}.is_in(${JSON.stringify(levels.map(String))}))`);
  if (asked.leftOut) filters.push('.filter(pl.col("players") > 1)');
  const call = `pl.scan_parquet(${JSON.stringify(document.body.dataset.seats)})${filters.join("")}.group_by(${column(rows)}).agg(pl.len(), pl.col("win").mean()).collect()`;
  return { link: `ask?${words}`, calls: [call] };
};
build();
show();
fromLink();
window.addEventListener("hashchange", fromLink);
