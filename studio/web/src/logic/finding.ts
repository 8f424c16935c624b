// How well a text fits what was typed: beginnings of words count most, letters in order count little. 0: not at all.

export function score(text: string, typed: string): number {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return 1;
  const lower = text.toLowerCase();
  const at = lower.indexOf(wanted);
  if (at === 0) return 100;
  if (at > 0) return lower[at - 1] === " " ? 80 : 50;
  const words = wanted.split(/\s+/);
  if (words.length > 1 && words.every((word) => lower.includes(word))) return 40;
  let from = 0;
  for (const letter of wanted.replace(/\s/g, "")) {
    from = lower.indexOf(letter, from) + 1;
    if (from === 0) return 0;
  }
  return 10;
}
