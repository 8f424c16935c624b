// What people type into a number field: 0.25, 2*pi/3, 45 deg, 120 rpm, 15 mm. The value is in SI units.

const CONSTANTS: Record<string, number> = { pi: Math.PI, π: Math.PI, e: Math.E };

const UNITS: Record<string, number> = {
  m: 1, cm: 1e-2, mm: 1e-3, km: 1e3, um: 1e-6, µm: 1e-6,
  s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, min: 60,
  kg: 1, g: 1e-3, t: 1e3,
  N: 1, kN: 1e3, mN: 1e-3, Nm: 1, kNm: 1e3,
  rad: 1, deg: Math.PI / 180, "°": Math.PI / 180, rpm: Math.PI / 30, rev: 2 * Math.PI,
  Hz: 1, J: 1, W: 1, Pa: 1,
}; // prettier-ignore

const FUNCTIONS: Record<string, (x: number) => number> = { sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tan: Math.tan, abs: Math.abs };

/** The value of an expression, or null if it is none. */
export function evaluate(text: string): number | null {
  const tokens = text.replace(/\u2212/g, "-").match(/\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[A-Za-zπµ°]+|\S/g) ?? [];
  let at = 0;

  function atom(): number {
    const token = tokens[at++];
    if (token === undefined) return NaN;
    if (token === "(") {
      const value = sum();
      return tokens[at++] === ")" ? value : NaN;
    }
    if (token === "-") return -power();
    if (token === "+") return power();
    if (/^[\d.]/.test(token)) return Number(token);
    if (token in CONSTANTS) return CONSTANTS[token]!;
    if (token in FUNCTIONS) return FUNCTIONS[token]!(atom());
    return NaN;
  }
  function power(): number {
    const base = atom();
    if (tokens[at] !== "^") return base;
    at++;
    return base ** power();
  }
  function factor(): number {
    let value = power();
    while (tokens[at] !== undefined && tokens[at]! in UNITS) value *= UNITS[tokens[at++]!]!;
    return value;
  }
  function product(): number {
    let value = factor();
    for (;;) {
      const operator = tokens[at];
      if (operator !== "*" && operator !== "/") return value;
      at++;
      value = operator === "*" ? value * factor() : value / factor();
    }
  }
  function sum(): number {
    let value = product();
    for (;;) {
      const operator = tokens[at];
      if (operator !== "+" && operator !== "-") return value;
      at++;
      value = operator === "+" ? value + product() : value - product();
    }
  }

  const value = sum();
  return tokens.length > 0 && at === tokens.length && Number.isFinite(value) ? value : null;
}
