// The header: connections, captured tabs, and how full the buffers are.

import { bytes, count, plural } from './format';
import type { Status } from './messages.gen';
import type { Model } from './model';

const BUFFERS: [name: string, title: string][] = [
  ['logs', 'Console'],
  ['network_bodies', 'Requests'],
  ['websocket_events', 'Socket events'],
  ['enhanced_actions', 'Actions'],
];

export function Header({ model }: { model: Model }) {
  const { status, line } = model;
  return (
    <header>
      <img src="/dashboard/mark.svg" alt="" width="28" height="28" />
      <div class="title">
        <h1>Gasoline</h1>
        <p>{status && `${status.version} · port ${status.port}${memory(status)}`}</p>
      </div>
      <ul class="state" aria-label="Connections">
        <li>
          <span class="pill" data-test="line" data-state={line === 'live' ? 'connected' : 'connecting'}>
            {line === 'live' ? 'Live' : line === 'lost' ? 'Server not reachable, retrying' : 'Connecting'}
          </span>
        </li>
        <li>
          <span class="pill" data-test="browser" data-state={status?.extension.connected ? 'connected' : 'paused'}>
            {browser(status)}
          </span>
        </li>
        <li>
          <span class="pill" data-test="clients" data-state={status?.clients.length ? 'connected' : 'none'}>
            {status?.clients.length ? names(status) : 'No AI client'}
          </span>
        </li>
      </ul>
      <dl class="buffers" aria-label="Buffers">
        {BUFFERS.map(([name, title]) => (
          <Buffer key={name} title={title} fill={status?.buffers[name]} />
        ))}
      </dl>
      {status && <Notices status={status} />}
    </header>
  );
}

function memory({ memoryMb }: Status): string {
  return ` · ${memoryMb} MB`;
}

function browser(status: Status | undefined): string {
  if (!status?.extension.connected) return 'No browser';
  const captured = status.extension.tabs.filter((tab) => tab.captured).length;
  return captured > 0 ? `Capturing ${plural(captured, 'tab')}` : 'Browser connected, no tab captured';
}

function names({ clients }: Status): string {
  const all = [...new Set(clients.map(({ name }) => name ?? 'unnamed'))];
  return all.length > 2 ? `${all.slice(0, 2).join(', ')} and ${all.length - 2} more` : all.join(', ');
}

function Buffer({ title, fill }: { title: string; fill: Status['buffers'][string] | undefined }) {
  const held = fill?.count ?? 0;
  const share = fill?.capacity ? Math.min(1, held / fill.capacity) : 0;
  const lost = fill?.dropped ? `, ${count(fill.dropped)} older ones dropped` : '';
  const more = fill ? `${held} of ${fill.capacity}, ${bytes(fill.memory_bytes)}${lost}` : '';
  return (
    <div title={more}>
      <dt>{title}</dt>
      <dd>
        {count(held)}
        <span class="unseen"> {more}</span>
        <span class="fill" aria-hidden="true">
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </dd>
    </div>
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

function Notices({ status }: { status: Status }) {
  const notices: string[] = [];
  if (!status.extension.connected) {
    notices.push('No browser is connected: load the Gasoline extension, then reload your page.');
  } else if (!status.extension.tabs.some((tab) => tab.captured)) {
    notices.push("No open tab is captured: open your app, or turn its site on in the extension's popup.");
  }
  if (status.memoryMode === 'no_bodies') notices.push('Memory is low: new request bodies are rejected.');
  if (status.memoryMode === 'minimal') {
    notices.push('Memory ran out: the buffers were cleared, and only warnings and errors are kept.');
  }
  for (const trouble of status.extension.troubles ?? []) notices.push(sentence(trouble));
  if (status.journalError) notices.push(`Logs are kept in memory only: ${status.journalError}`);
  return (
    <>
      {notices.map((notice) => (
        <p key={notice} class="notice" data-test="notice">
          {notice}
        </p>
      ))}
    </>
  );
}
