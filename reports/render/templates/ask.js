// The panel of questions: choices on top, a chart and a table that follow.
const packed = Uint8Array.from(atob(document.getElementById("asked").textContent), letter => letter.charCodeAt(0));
const asked = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
const panel = document.getElementById("ask");
const FILTERS = ["players", "variant", "seat", "faction"];
// Choices that only some tables distinguish, such as the place at which a pick was taken, appear only with these.
const OWN = [...new Set(asked.tables.flatMap(table => table.others))].filter(column => ![...FILTERS, "strategy"].includes(column));
const percent = share => `${(100 * share).toFixed(2)} %`;
const points = edge => { const text = (100 * edge).toFixed(2); return (text > 0 ? `+${text}` : text.replace("-", "\u2212").replace(/^\u2212(0\.00)$/, "$1")); };
const between = (low, high) => low === null ? "-" : `${(100 * low).toFixed(2)} to ${(100 * high).toFixed(2)}`;
const count = number => number.toLocaleString("en");
const state = { table: 0, players: null, variant: null, seat: null, faction: null, strategy: null };
let latest, wide;

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
// Rows of the requested table, the widest edge first, and what all its rows win. A player who wins more than
// others wins more in every row, so a row is marked only if it certainly lies beyond what all rows win.
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
  // Plain win rates of a league mark no row: they are not adjusted for players.
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
    // Levels that a table does not distinguish cannot be chosen.
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
  draw(rows, !games || Math.abs(mean.edge) < 5e-4 ? [] : [mean.share]);
}
// The note on a league's plain win rates for these choices; empty on other pages.
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
// The chart: a line for each row with its interval, its share, its fair share, and a tooltip.
const LINE = 24, LETTER = 6.4, LABELS = 130, TICKS = 8;
const TOLD = { name: "", wins: "win rate", interval: "95 % interval", fairly: "fair", points: "edge, points", seatGames: "games", blocksHeld: "blocks" };
const told = row => Object.entries(TOLD).map(([field, title]) => title ? `${title}: ${row[field]}` : row[field]).join("\n");
const space = panel.querySelector(".chart svg").namespaceURI;
function shape(name, attributes, ...inside) {
  const made = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}
// Round numbers for about TICKS ticks, which enclose the lowest and the highest value.
function ticksOf(low, high) {
  const least = Math.max(high - low, 1e-9) / TICKS, power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(times => times * power).find(size => size >= least * 0.999);
  const first = Math.floor(low / step + 1e-9), last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}
function draw(rows, middle) {
  latest = [rows, middle];
  const chart = panel.querySelector(".chart"), width = chart.clientWidth || 600, bottom = LINE * rows.length + 6;
  wide = width;
  const letters = Math.max(1, ...rows.map(row => row.name.length)), left = Math.min(LABELS, LETTER * letters) + 12;
  const most = Math.floor(LABELS / LETTER), brief = name => name.length > most ? `${name.slice(0, most - 1)}\u2026` : name;
  const values = [...rows.flatMap(row => [row.low, row.high, row.share, row.fair]), ...middle].filter(value => value !== null).map(value => 100 * value);
  const ticks = values.length ? ticksOf(Math.min(...values), Math.max(...values)) : [];
  const at = share => left + (100 * share - ticks[0]) / (ticks.at(-1) - ticks[0]) * (width - left - 14);
  const lines = ticks.map(tick => shape("g", { class: "tick" },
    shape("path", { d: `M${at(tick / 100)} 0V${bottom}` }),
    shape("text", { x: at(tick / 100), y: bottom + 14, "text-anchor": "middle" }, String(tick))));
  const means = middle.map(mean => shape("path", { class: "mean", d: `M${at(mean)} 0V${bottom}` }, shape("title", {}, "all that was chosen")));
  const drawn = rows.map((row, place) => {
    const y = LINE * (place + 0.5) + 3, card = asked.tables[state.table].rows === "faction" && asked.cards[row.name];
    const parts = [
      shape("rect", { x: 0, y: y - LINE / 2, width, height: LINE, fill: "transparent" }),
      shape("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, brief(row.name)),
      shape("path", { class: "fair", d: `M${at(row.fair)} ${y - LINE / 2}V${y + LINE / 2}` }),
      ...row.low === null ? [] : [shape("path", { class: "interval", d: `M${at(row.low)} ${y}H${at(row.high)}` })],
      shape("circle", { cx: at(row.share), cy: y, r: 5 }),
      shape("title", {}, told(row)),
    ];
    return shape(card ? "a" : "g", { class: `line ${row.tone}`, ...card && { href: card } }, ...parts);
  });
  const title = shape("text", { class: "small", x: (left + width) / 2, y: bottom + 30, "text-anchor": "middle" }, rows.length ? "win rate, %" : "");
  chart.replaceChildren(shape("svg", { width, height: bottom + 36 }, ...lines, ...means, ...drawn, title));
}
// The link holds the choices, by the names of levels: #ask?rows=Seat&strategy=balanced,military.
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
new ResizeObserver(() => { if (panel.querySelector(".chart").clientWidth !== wide) draw(...latest); }).observe(panel.querySelector(".chart"));
