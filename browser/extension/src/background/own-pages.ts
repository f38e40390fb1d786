// Answers the requests of the popup and the options page.

import type { PopupState, Replies, Request } from '../shared/messages';
import { checkServer } from '../shared/settings';
import { judge } from '../shared/sites';
import { Server } from './server';
import type { ExtensionWorker } from './worker';

export async function answerOwnPage<T extends Request>(
  worker: ExtensionWorker,
  request: T,
  from: chrome.runtime.MessageSender,
): Promise<Replies[Request['type']]> {
  // Content scripts run in other pages; only our own pages may ask.
  if (from.tab && !from.url?.startsWith(chrome.runtime.getURL(''))) throw new Error('not one of our pages');
  switch (request.type) {
    case 'popup-state':
      return popupState(worker, request.tabId);
    case 'reconnect':
      return worker.reconnect();
    case 'clear':
      return clear(worker);
    case 'debug-log':
      worker.log.push(worker.metrics());
      return { text: worker.log.text() };
    case 'dismiss-annotation-warning':
      worker.annotations.dismiss();
      return {};
    case 'test-server':
      return testServer(request.server);
  }
}

async function popupState(worker: ExtensionWorker, tabId: number | null): Promise<PopupState> {
  const { connection, sender, settings, memoryGuard, memory } = worker;
  const tab = tabId === null ? undefined : await chrome.tabs.get(tabId).catch(() => undefined);
  const site = judge(tab?.url ?? '', settings);
  const isPaused = sender.breaker.isOpen && connection.state !== 'connected';
  return {
    connection: isPaused ? { ...connection, state: 'paused' } : connection,
    site: { ...site, needsReload: site.captured && tabId !== null && worker.late.has(tabId) },
    counts: worker.deliveries.countsOf(tabId),
    accounting: worker.accounting,
    memory: { megabytes: Math.round(memoryGuard.megabytes * 10) / 10, state: memory },
    annotationWarning: worker.annotations.warning,
  };
}

async function clear({ queue, deliveries, badges, server }: ExtensionWorker): Promise<Replies['clear']> {
  await queue.clear();
  deliveries.clearCounts();
  void badges.showActive();
  try {
    const response = await server.withToken('/clear', { method: 'POST', body: '{}' });
    if (!response.ok) return { ok: false, message: `The server answered ${response.status}.` };
    const { entries_removed = 0 } = (await response.json()) as { entries_removed?: number };
    return { ok: true, message: `Cleared ${entries_removed} entries.` };
  } catch {
    return { ok: false, message: 'The server is not reachable; only the queue in the browser was cleared.' };
  }
}

async function testServer(address: string): Promise<Replies['test-server']> {
  const checked = checkServer(address);
  if ('problem' in checked) return { ok: false, message: checked.problem };
  try {
    const { version: found } = await new Server(checked.server).health();
    return { ok: true, message: `Gasoline ${found} answers at ${checked.server}.` };
  } catch (error) {
    const text =
      error instanceof Error && /other than Gasoline/.test(error.message) ? error.message : 'nothing answers there';
    return { ok: false, message: `No connection: ${text}. Run "gasoline serve" and try again.` };
  }
}
