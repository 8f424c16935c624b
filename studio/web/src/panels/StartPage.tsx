// The page to begin with: examples, files, something new.

import { useEffect, useRef, useState } from "preact/hooks";

import * as act from "../actions";
import { Icon } from "../icons";
import { formatMoment } from "../logic/format";
import type { Files, Left } from "../protocol";
import { ask, tell } from "../session";
import * as store from "../store";
import { Modal, Refusal } from "./Modal";

const ENDINGS = ".yaml,.yml,.json,.session,.urdf,.xml,.mjcf";

export function StartPage() {
  const [files, setFiles] = useState<Files | null>(null);
  const [filter, setFilter] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const load = () => void ask<Files>({ do: "files" }).then(setFiles, () => undefined);
  useEffect(load, []);
  const wanted = filter.toLowerCase();
  const examples = (store.hello.value?.examples ?? []).filter((example) => `${example.title} ${example.text}`.toLowerCase().includes(wanted));
  const recent = files?.recent ?? [];
  const others = (files?.files ?? []).filter((file) => !recent.includes(file));
  return (
    <Modal title="New or open" wide>
      <div class="start" data-testid="start">
        <aside>
          <button type="button" class="button primary wide" data-autofocus data-testid="new.planar" onClick={() => void act.open({ do: "open", empty: "xy" }, "a planar mechanism")}><Icon name="polygon" />New planar</button>
          <button type="button" class="button outlined wide" data-testid="new.spatial" onClick={() => void act.open({ do: "open", empty: "space" }, "a spatial mechanism")}><Icon name="cube" />New spatial</button>
          <button type="button" class="button outlined wide" data-testid="open.file" onClick={() => input.current?.click()}><Icon name="open" />Open a file …</button>
          <input ref={input} type="file" hidden accept={ENDINGS} data-testid="open.input" onChange={(event) => { const file = event.currentTarget.files?.[0]; if (file) void act.upload(file); }} />
          <p class="note">Or drop a file anywhere on the page.</p>
          <Refusal text={act.notOpened.value} />
          {files !== null && files.left.length > 0 && <LeftList left={files.left} changed={load} />}
          {recent.length > 0 && <FileList title="Recent" files={recent} />}
          {others.length > 0 && <FileList title="In this folder" files={others} />}
        </aside>
        <div class="gallery">
          <input type="search" placeholder="Search examples" aria-label="Search examples" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
          <div class="cards">
            {examples.map((example) => (
              <button key={example.name} type="button" class="card" data-testid={`example.${example.name}`} title={example.text} onClick={() => void act.open({ do: "open", example: example.name }, example.title)}>
                <span class="card-picture">{example.picture ? <img src={pictureAddress(example.picture)} alt="" loading="lazy" /> : <Icon name="joint" size={40} />}</span>
                <strong>{example.title}</strong>
                <span class="card-text">{example.text}</span>
              </button>
            ))}
          </div>
        </div>
      </div>
    </Modal>
  );
}

function pictureAddress(picture: string): string {
  return picture.startsWith("data:") || picture.includes("?") ? picture : act.address(picture);
}

function FileList({ title, files }: { title: string; files: string[] }) {
  return (
    <>
      <h4>{title}</h4>
      <ul class="file-list">{files.slice(0, 12).map((file) => <li key={file}><button type="button" class="link" title={file} data-testid={`file.${file}`} onClick={() => void act.open({ do: "open", file }, file)}>{file}</button></li>)}</ul>
    </>
  );
}

/** Work that was not saved: taken up again, or thrown away at the second click. */
function LeftList({ left, changed }: { left: Left[]; changed(): void }) {
  const [sure, setSure] = useState<string | null>(null);
  const discard = async ({ id }: Left) => {
    if (sure !== id) return setSure(id);
    await tell({ do: "discard", left: id });
    changed();
  };
  return (
    <>
      <h4>Not saved</h4>
      <ul class="left-list" data-testid="left">
        {left.map((item) => (
          <li key={item.id} title={`${item.name}, ${item.folder}`}>
            <strong>{item.name}</strong>
            <time dateTime={new Date(1000 * item.time).toISOString()}>{formatMoment(item.time)}</time>
            <span>
              <button type="button" class="link" data-testid="left.recover" onClick={() => void act.open({ do: "recover", left: item.id }, item.name)}>Recover</button>
              <button type="button" class="link danger" data-testid="left.discard" onBlur={() => setSure(null)} onClick={() => void discard(item)}>{sure === item.id ? "Really discard?" : "Discard"}</button>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
