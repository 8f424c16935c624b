// What must not be overlooked: the connection is lost, somebody else has the control, a look into the past.

import { useEffect, useState } from "preact/hooks";

import { Icon } from "../icons";
import { formatTime } from "../logic/format";
import { session, tell } from "../session";
import { clock, link, mayEdit } from "../store";

export function Banners() {
  return (
    <div class="banners">
      {link.value.state !== "open" && <Lost />}
      {link.value.state === "open" && clock.value?.control === "other" && (
        <div class="banner" role="status" data-testid="banner.control">
          <Icon name="eye" size={16} />
          <span>Somebody else has the control. You are looking on.</span>
          <button type="button" class="button outlined" data-testid="take-control" onClick={() => void tell({ do: "control", take: true })}>Take control</button>
        </div>
      )}
      {link.value.state === "open" && clock.value?.branching && <Branching {...clock.value.branching} />}
    </div>
  );
}

/** A moment of the past is computed again; everything goes on meanwhile. */
function Branching({ time, share }: { time: number; share: number }) {
  return (
    <div class="banner" role="status" data-testid="banner.branching">
      <Icon name="branch" size={16} />
      <span>Going back to {formatTime(time)} …</span>
      <progress value={share} aria-label="How much is done" />
      <button type="button" class="button outlined" data-testid="branch.cancel" disabled={!mayEdit.value} onClick={() => void tell({ do: "cancel" })}>Cancel</button>
    </div>
  );
}

function Lost() {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => tick((n) => n + 1), 500);
    return () => window.clearInterval(timer);
  }, []);
  const { state, retryAt } = link.value;
  if (retryAt === 0) return null; // the first attempt: nothing is lost yet
  const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
  return (
    <div class="banner lost" role="alert" data-testid="banner.lost">
      <span class="spinner" />
      <span>Connection lost, reconnecting…{state === "lost" && seconds > 1 ? ` (${seconds} s)` : ""}</span>
      <button type="button" class="button outlined" onClick={() => session.link?.retry()}>Try now</button>
    </div>
  );
}
