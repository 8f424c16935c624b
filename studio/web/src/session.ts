// The one connection and the one picture of this page, for whoever needs them, and how requests are made.

import type { Link } from "./link";
import type { Packet, Request } from "./protocol";
import { notify } from "./store";
import type { View } from "./view/view";

/** `poses`: the newest, for a picture that is mounted after they came. While nothing moves none follow. */
export const session: { link: Link | null; view: View | null; poses: Packet | null } = { link: null, view: null, poses: null };

/** Ask, and let the caller deal with a refusal. */
export function ask<T = unknown>(request: Request): Promise<T> {
  if (!session.link) return Promise.reject(new Error("The page is not connected yet."));
  return session.link.request<T>(request);
}

/** Ask, and show a refusal as a notice: undefined then, and null if the answer has no data. */
export async function tell<T = unknown>(request: Request): Promise<T | null | undefined> {
  try {
    return (await ask<T>(request)) ?? null;
  } catch (error) {
    notify("error", error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** A sender that lets only one request be under way; of those that pile up meanwhile the newest wins. */
export function newestWins<A>(send: (argument: A) => Promise<unknown>): (argument: A) => void {
  let under = false;
  let next: { argument: A } | null = null;
  const go = (argument: A): void => {
    under = true;
    void send(argument).finally(() => {
      under = false;
      const waiting = next;
      next = null;
      if (waiting) go(waiting.argument);
    });
  };
  return (argument) => {
    if (under) next = { argument };
    else go(argument);
  };
}
