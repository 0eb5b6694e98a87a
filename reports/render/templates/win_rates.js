// Win rates by block for the current choices: the formulas of reports/statistics/core/win_rate.py, from the sums of
// reports/data/filter_sums.py. `asked` is the page's data, `table` one of its tables, `chosen` holds for each column the set
// of indices of its levels, or null for all of them.
const ALL = -1, ROUNDING = 1e-12;
function winRates(asked, table, chosen) {
  const companies = companySizes(table, chosen.strategy);
  const sums = new Map();
  table.groups.forEach(group => {
    const row = group.keys[2];
    if (!isChosen(asked, table, chosen, group.keys)) return;
    if (!sums.has(row)) sums.set(row, { blocks: 0, largest: 0, n: 0, nn: 0, w: 0, ww: 0, wn: 0, e: 0, dd: 0, dn: 0 });
    addGroup(sums.get(row), group, companies, table, chosen.strategy, asked.levels.players[group.keys[0]].value);
  });
  return [...sums].filter(([, sum]) => sum.n > 0).map(([row, sum]) => ({ row, ...sharesOf(sum, asked.quantiles) }));
}
// Whether a group of blocks matches the choices. A group has one level of each of the other columns, or stands for all.
function isChosen(asked, table, chosen, keys) {
  const has = (column, place) => !chosen[column] || chosen[column].has(place);
  if (!has("players", keys[0]) || !has("variant", keys[1]) || !has(table.rows, keys[2])) return false;
  return table.others.every((column, at) => keys[3 + at] === (chosen[column] ? [...chosen[column]][0] : ALL));
}
// For each company (multiset of strategies in a block): seat-games of the chosen strategies in one block.
function companySizes(table, strategies) {
  return table.companies.map(flat => {
    let size = 0;
    for (let i = 0; i < flat.length; i += 2) if (counts(table, strategies, flat[i])) size += flat[i + 1];
    return size;
  });
}
// A table that does not distinguish strategies has a single one, which stands for all.
function counts(table, strategies, strategy) {
  return !table.everyCompany || !strategies || strategies.has(strategy);
}
function addGroup(sum, group, companies, table, strategies, players) {
  const part = { n: 0, nn: 0, w: 0, ww: 0, wn: 0 };
  group.blocks.forEach((blocks, company) => {
    const size = companies[company];
    if (blocks === 0 || size === 0) return;
    sum.blocks += blocks;
    sum.largest = Math.max(sum.largest, size);
    part.n += blocks * size;
    part.nn += blocks * size * size;
  });
  for (let i = 0; i < group.wins.length; i += 2) if (counts(table, strategies, group.wins[i])) part.w += group.wins[i + 1];
  for (let i = 0; i < group.products.length; i += 5) {
    const [one, two, both, beside, turned] = group.products.slice(i, i + 5);
    if (!counts(table, strategies, one) || !counts(table, strategies, two)) continue;
    part.ww += one === two ? both : 2 * both;
    part.wn += one === two ? beside : beside + turned;
  }
  const fair = 1 / players;
  for (const name in part) sum[name] += part[name];
  sum.e += part.n * fair;
  sum.dd += part.ww - 2 * fair * part.wn + fair * fair * part.nn;
  sum.dn += part.wn - fair * part.nn;
}
function sharesOf(sum, quantiles) {
  const share = sum.w / sum.n, fair = sum.e / sum.n, edge = (sum.w - sum.e) / sum.n;
  const found = { games: sum.n, blocks: sum.blocks, share, fair, edge };
  if (sum.blocks < 2) return { ...found, low: null, high: null, edgeLow: null, edgeHigh: null };
  const shareError = clusteredError(share, sum.ww, sum.wn, sum), error = clusteredError(edge, sum.dd, sum.dn, sum);
  const reach = quantileOf(sum.blocks - 1, quantiles);
  const [low, high] = shareInterval(share, shareError, reach, sum);
  if (low !== null && shareError === 0) return { ...found, low, high, edgeLow: low - fair, edgeHigh: high - fair };
  if (error === 0) return { ...found, low, high, edgeLow: null, edgeHigh: null };
  const ends = { edgeLow: Math.max(edge - reach * error, -fair), edgeHigh: Math.min(edge + reach * error, 1 - fair) };
  return { ...found, low, high, ...ends };
}
function clusteredError(ratio, yy, yn, sum) {
  const squares = yy - 2 * ratio * yn + ratio * ratio * sum.nn;
  if (squares <= ROUNDING * Math.max(sum.nn, yy)) return 0;
  return Math.sqrt(sum.blocks / (sum.blocks - 1) * squares) / sum.n;
}
function shareInterval(share, error, reach, sum) {
  const bound = Math.min(1, (1 - Math.pow(0.025, 1 / sum.blocks)) * sum.largest * sum.blocks / sum.n);
  if (share === 0) return [0, bound];
  if (share === 1) return [1 - bound, 1];
  return error > 0 ? [Math.max(share - reach * error, 0), Math.min(share + reach * error, 1)] : [null, null];
}
// Student's t: a table of quantiles, beyond it the expansion of Abramowitz and Stegun (1964), 26.7.5.
function quantileOf(freedom, quantiles) {
  if (freedom <= quantiles.t.length) return quantiles.t[freedom - 1];
  const z = quantiles.z, z2 = z * z, d = freedom;
  return z * (1 + (z2 + 1) / (4 * d) + ((5 * z2 + 16) * z2 + 3) / (96 * d ** 2)
    + (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * d ** 3)
    + ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / (92160 * d ** 4));
}
