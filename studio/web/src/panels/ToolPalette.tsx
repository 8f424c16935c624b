// The tools that float over the picture: bodies one by one, joints and forces by family.

import { useEffect, useRef, useState } from "preact/hooks";

import * as act from "../actions";
import { Icon, iconOfKind, type IconName } from "../icons";
import { readable } from "../logic/format";
import { toolGroups, type ToolGroup } from "../logic/toolGroups";
import * as store from "../store";
import { useFitting } from "./ContextMenu";
import { CommandButton } from "./parts";

const BODIES = ["tool.rod", "tool.box", "tool.disc", "tool.polygon", "tool.capsule"];
const IN_SPACE = ["tool.cylinder", "tool.sphere"];

export function ToolPalette() {
  const hello = store.hello.value;
  const [open, setOpen] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(null);
    };
    window.addEventListener("pointerdown", outside, true);
    return () => window.removeEventListener("pointerdown", outside, true);
  }, []);
  const planar = store.planar.value;
  return (
    <div class={`tools ${planar ? "" : "spatial"}`} role="toolbar" aria-label="Tools" aria-orientation="vertical" ref={box}>
      <CommandButton id="tool.select" />
      <hr />
      {BODIES.map((id) => <CommandButton key={id} id={id} />)}
      {!planar && IN_SPACE.map((id) => <CommandButton key={id} id={id} />)}
      <hr />
      {toolGroups(hello, planar).map((group, i, all) => (
        <>
          {i > 0 && all[i - 1]!.make !== group.make && <hr key={`line ${group.id}`} />}
          <Flyout key={group.id} group={group} open={open === group.id} setOpen={(yes) => setOpen(yes ? group.id : null)} />
        </>
      ))}
    </div>
  );
}

function inUse(group: ToolGroup): string | null {
  const tool = store.tool.value;
  const kind = store.jointPicking.value?.kind ?? (tool && (tool.make === "joint" || tool.make === "force") ? tool.kind : null);
  return group.kinds.some((other) => other.type === kind) ? kind : null;
}

function Flyout({ group, open, setOpen }: { group: ToolGroup; open: boolean; setOpen(open: boolean): void }) {
  const used = inUse(group);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <div class="flyout" onKeyDown={(event) => event.key === "Escape" && open && (event.stopPropagation(), setOpen(false))}>
      <button
        ref={button}
        type="button"
        class="button square"
        title={group.title}
        aria-label={group.title}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-pressed={used !== null}
        disabled={!store.mayEdit.value || store.past.value !== null}
        data-testid={`tools.${group.id}`}
        onClick={() => setOpen(!open)}
      >
        <Icon name={group.icon as IconName} />
        <span class="corner" />
      </button>
      {open && (
        <Kinds group={group} used={used} button={button.current!} close={() => setOpen(false)} />
      )}
    </div>
  );
}

/** The kinds of a family, beside their button, or below it where the palette lies flat. */
function Kinds({ group, used, button, close }: { group: ToolGroup; used: string | null; button: HTMLElement; close(): void }) {
  const at = button.getBoundingClientRect();
  const palette = button.closest(".tools")!.getBoundingClientRect();
  const flat = palette.width > palette.height;
  const box = useFitting(flat ? at.left : palette.right + 8, flat ? palette.bottom + 8 : at.top - 28);
  return (
    <div ref={box} class="menu" role="menu" aria-label={group.title}>
      <div class="menu-heading">{group.title}</div>
      {group.kinds.map((kind) => (
        <button
          key={kind.type}
          type="button"
          role="menuitem"
          class={`menu-item ${used === kind.type ? "used" : ""}`}
          data-testid={`tool.${kind.type}`}
          onClick={() => {
            close();
            act.connect(group.make, kind);
          }}
        >
          <Icon name={iconOfKind(kind.type, group.make)} size={16} />
          <span class="menu-title">{readable(kind.title)}</span>
        </button>
      ))}
    </div>
  );
}
