// Tables sort by the heading that is clicked: numbers from the largest, words from A; a second click reverses them.
document.querySelectorAll("table.sortable").forEach(table => {
  const body = table.tBodies[0];
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const key = row => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
    const isNumber = value => value !== "" && !isNaN(value);
    button.addEventListener("click", () => {
      const keys = new Map([...body.rows].map(row => [row, key(row)]));
      const known = [...keys.values()].filter(value => value !== "");
      const numbers = known.every(isNumber);
      const before = head.getAttribute("aria-sort");
      const up = before ? before === "descending" : !numbers;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const compare = (a, b) => {
        const x = keys.get(a), y = keys.get(b);
        // Unknown values come last in both directions.
        if ((x === "") !== (y === "")) return x === "" ? 1 : -1;
        const order = numbers ? x - y : x.localeCompare(y, "en", { numeric: true });
        return up ? order : -order;
      };
      body.append(...[...body.rows].sort(compare));
    });
  });
});
// Boxes that scroll sideways can be reached and scrolled with the keyboard.
document.querySelectorAll(".scroll").forEach(box => {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
});
// A link to a part inside folds opens them.
function unfold() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  const own = target.querySelector(":scope > details.part");
  if (own) own.open = true;
  if (target.tagName === "DETAILS") target.open = true;
  target.scrollIntoView();
}
window.addEventListener("hashchange", unfold);
document.addEventListener("click", event => {
  // A second click on the same link fires no hashchange event.
  if (event.target.closest?.("a")?.hash === location.hash && location.hash) unfold();
});
unfold();
// Marks in the navigation the part on the screen.
const links = new Map([...document.querySelectorAll("nav a")].map(link => [link.hash.slice(1), link]));
if ("IntersectionObserver" in window) {
  const watcher = new IntersectionObserver(entries => entries.forEach(entry => {
    if (!entry.isIntersecting) return;
    links.forEach((link, id) => link.classList.toggle("here", id === entry.target.id));
  }), { rootMargin: "-20% 0px -75% 0px" });
  links.forEach((_, id) => { const target = document.getElementById(id); if (target) watcher.observe(target); });
}
// How to reproduce each part: its link, the command and the Python call, written on request.
document.querySelectorAll("body[data-command] main section[data-section]").forEach(part => {
  const { command, python } = document.body.dataset, names = part.dataset.section.split("|").filter(name => name);
  const fold = document.createElement("details"), head = document.createElement("summary");
  fold.className = "again small";
  head.textContent = "reproduce";
  const told = document.createElement("pre");
  const shell = text => /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
  fold.append(head, told);
  fold.addEventListener("toggle", () => {
    const words = name => part.id.startsWith("section-") ? `.section(${JSON.stringify(name)})` : name === "scores" ? ".quantiles" : `.tables[${JSON.stringify(name)}]`;
    const calls = (names.length ? names.map(words) : [".verdict"]).map(call => python + call);
    const own = part.reproduce?.() ?? { link: part.id, calls };
    const commands = part.reproduce ? [] : names.length ? names.map(name => `${command} --section ${shell(name)}`) : [command];
    const figures = [...part.querySelectorAll("figure[data-figure]")].map(figure => figure.dataset.figure);
    const drawn = figures.map(name => `empirelab.pictures(${python})[${JSON.stringify(name)}].draw()`);
    told.textContent = [`${location.href.split("#")[0]}#${own.link}`, ...commands, ...own.calls, ...drawn].join("\n");
  });
  (part.querySelector(":scope > details.part") ?? part).append(fold);
});
