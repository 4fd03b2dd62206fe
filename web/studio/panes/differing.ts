// What differs between two texts, by lines: everything between the equal beginning and the equal end.

export interface Differing {
  before: string[];
  first: string[];
  second: string[];
  after: string[];
}

export function differingLines(a: string, b: string): Differing {
  const [x, y] = [a.split("\n"), b.split("\n")];
  const most = Math.min(x.length, y.length);
  let start = 0;
  while (start < most && x[start] === y[start]) start++;
  let end = 0;
  while (end < most - start && x[x.length - 1 - end] === y[y.length - 1 - end]) end++;
  return {
    before: x.slice(0, start),
    first: x.slice(start, x.length - end),
    second: y.slice(start, y.length - end),
    after: x.slice(x.length - end),
  };
}
