// The menu on the right mouse button, and that of the file: commands of the table, some with a list behind them.

import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { isEnabled, menuOf, type Command, type Item } from "../commands";
import { Icon } from "../icons";
import { menu, selected } from "../store";
import { keysOf } from "./parts";

export function ContextMenu() {
  const place = menu.value;
  return place ? <Menu key={`${place.x} ${place.y} ${place.what}`} x={place.x} y={place.y} sections={menuOf(place.what)} /> : null;
}

function close(): void {
  menu.value = null;
}

/** Keys inside a menu: up and down, into and out of a list, Enter by the buttons themselves. */
function moveFocus(event: KeyboardEvent, box: HTMLElement, out: () => void): void {
  const buttons = [...box.querySelectorAll<HTMLButtonElement>(":scope > button:not(:disabled)")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const go = (index: number) => buttons[(index + buttons.length) % buttons.length]?.focus();
  if (event.key === "ArrowDown") go(at + 1);
  else if (event.key === "ArrowUp") go(at < 0 ? -1 : at - 1);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(-1);
  else if (event.key === "ArrowRight" && buttons[at]?.hasAttribute("aria-haspopup")) buttons[at]!.click();
  else if (event.key === "ArrowLeft" || event.key === "Escape") out();
  else if (event.key === "Tab") close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Moves a menu to where it fits into the window. */
export function useFitting(x: number, y: number, left?: number) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const { width, height } = element.getBoundingClientRect();
    const tooWide = x + width > window.innerWidth - 8;
    element.style.left = `${Math.max(8, tooWide ? (left ?? window.innerWidth - 8) - width : x)}px`;
    element.style.top = `${Math.max(8, Math.min(y, window.innerHeight - 8 - height))}px`;
  });
  return box;
}

function Menu({ x, y, sections }: { x: number; y: number; sections: Command[][] }) {
  const [open, setOpen] = useState<string | null>(null);
  const box = useFitting(x, y);
  useLayoutEffect(() => { // before the next key arrives
    const before = document.activeElement as HTMLElement | null;
    box.current?.focus();
    const outside = (event: PointerEvent) => {
      if (!(event.target as Element).closest(".menu")) close();
    };
    window.addEventListener("pointerdown", outside, true);
    return () => {
      window.removeEventListener("pointerdown", outside, true);
      before?.focus?.();
    };
  }, []);
  const { names, only } = selected.value;
  const heading = menu.value?.what === "scene" || menu.value?.what === "file" ? null : (only ?? `${names.length} selected`);
  return (
    <div ref={box} class="menu" role="menu" tabIndex={-1} data-testid="menu" onKeyDown={(event) => moveFocus(event, box.current!, close)} onContextMenu={(event) => event.preventDefault()}>
      {heading && <div class="menu-heading">{heading}</div>}
      {sections.map((section, i) => (
        <Fragment key={section[0]!.id}>
          {i > 0 && <hr />}
          {section.map((item) => <MenuRow key={item.id} item={item} open={open === item.id} setOpen={setOpen} />)}
        </Fragment>
      ))}
    </div>
  );
}

function MenuRow({ item, open, setOpen }: { item: Command; open: boolean; setOpen(id: string | null): void }) {
  const row = useRef<HTMLButtonElement>(null);
  const checked = item.checked?.();
  const detail = item.detail?.();
  const danger = item.id === "edit.delete";
  return (
    <>
      <button
        ref={row}
        type="button"
        class={`menu-item ${danger ? "danger" : ""}`}
        role={item.checked ? "menuitemcheckbox" : "menuitem"}
        aria-checked={checked}
        aria-haspopup={item.items ? "menu" : undefined}
        aria-expanded={item.items ? open : undefined}
        data-testid={`menu.${item.id}`}
        disabled={!isEnabled(item)}
        onPointerEnter={(event) => event.pointerType === "mouse" && setOpen(item.items && isEnabled(item) ? item.id : null)}
        onClick={() => {
          if (item.items) {
            setOpen(item.id);
            return;
          }
          item.run(); // it may ask where the menu was opened
          close();
        }}
      >
        {checked ? <Icon name="check" size={16} /> : item.icon ? <Icon name={item.icon} size={16} /> : <span class="icon" />}
        <span class="menu-title">{item.title}{detail && <small> {detail}</small>}</span>
        {item.items ? <Icon name="right" size={14} /> : item.keys && <kbd>{keysOf(item.keys)}</kbd>}
      </button>
      {open && item.items && <SubMenu anchor={row.current!} load={item.items} out={() => { setOpen(null); row.current?.focus(); }} />}
    </>
  );
}

function SubMenu({ anchor, load, out }: { anchor: HTMLElement; load(): Promise<Item[]> | Item[]; out(): void }) {
  const [items, setItems] = useState<Item[] | string | null>(null);
  const at = anchor.getBoundingClientRect();
  const box = useFitting(at.right + 2, at.top - 5, at.left - 2);
  useEffect(() => {
    let there = true;
    void Promise.resolve(load()).then(
      (found) => there && setItems(found),
      (error: unknown) => there && setItems(error instanceof Error ? error.message : String(error)),
    );
    return () => void (there = false);
  }, []);
  return (
    <div ref={box} class="menu sub" role="menu" tabIndex={-1} data-testid="submenu" onKeyDown={(event) => moveFocus(event, box.current!, out)}>
      {items === null && <div class="menu-heading">…</div>}
      {typeof items === "string" && <div class="menu-heading">{items}</div>}
      {Array.isArray(items) && items.length === 0 && <div class="menu-heading">Nothing here</div>}
      {Array.isArray(items) &&
        items.map((item) => (
          <button key={item.id} type="button" class="menu-item" role="menuitem" data-testid={`menu.${item.id}`} onClick={() => { close(); item.run(); }}>
            {item.icon ? <Icon name={item.icon} size={16} /> : <span class="icon" />}
            <span class="menu-title">{item.title}</span>
          </button>
        ))}
    </div>
  );
}
