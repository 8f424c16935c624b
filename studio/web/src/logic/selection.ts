// Which components are selected, and how clicks change that.

export interface Modifiers {
  add: boolean; // Ctrl or Cmd: this one in or out
  range: boolean; // Shift: all from the last one to this
}

/** The selection after a click on a name in a list, `anchor` being the one clicked before. */
export function clicked(selected: ReadonlySet<string>, name: string, list: readonly string[], anchor: string | null, how: Modifiers): Set<string> {
  if (how.range && anchor !== null) {
    const [from, to] = [list.indexOf(anchor), list.indexOf(name)].sort((a, b) => a - b) as [number, number];
    if (from >= 0) return new Set([...(how.add ? selected : []), ...list.slice(from, to + 1)]);
  }
  if (!how.add) return new Set([name]);
  return toggled(selected, name);
}

/** With the name, or without it if it was there. */
export function toggled(selected: ReadonlySet<string>, name: string): Set<string> {
  const next = new Set(selected);
  if (!next.delete(name)) next.add(name);
  return next;
}

/** Without names that are gone; the same object if all are there, so that nothing is drawn again. */
export function kept(selected: ReadonlySet<string>, names: ReadonlySet<string>): ReadonlySet<string> {
  const rest = [...selected].filter((name) => names.has(name));
  return rest.length === selected.size ? selected : new Set(rest);
}
