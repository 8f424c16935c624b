// Notices. Those that only inform go by themselves; errors stay until they are dismissed.

import { useEffect } from "preact/hooks";

import { Icon } from "../icons";
import { dismiss, notices, type Notice } from "../store";
import { IconButton } from "./parts";

const STAYS = { info: 4000, warning: 8000, error: Infinity };
const SHOWN = 4;

export function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {notices.value.slice(-SHOWN).map((notice) => <Toast key={notice.id} notice={notice} />)}
    </div>
  );
}

function Toast({ notice }: { notice: Notice }) {
  useEffect(() => {
    const stays = STAYS[notice.level];
    if (stays === Infinity) return undefined;
    const timer = window.setTimeout(() => dismiss(notice.id), stays);
    return () => window.clearTimeout(timer);
  }, [notice.count]);
  return (
    <div class={`toast ${notice.level}`} role={notice.level === "error" ? "alert" : "status"} data-testid={`toast.${notice.level}`}>
      <Icon name={notice.level} size={18} />
      <p>{notice.text}{notice.count > 1 && <span class="count">×{notice.count}</span>}</p>
      <IconButton icon="close" size={14} class="small" title="Dismiss" testid="toast.dismiss" onClick={() => dismiss(notice.id)} />
    </div>
  );
}
