// Each socket: whether it is open, its messages and their rate.

import { useMemo } from 'preact/hooks';
import type uPlot from 'uplot';
import type { SectionProps } from '../app';
import { bytes, clock, count, path, plural, short } from '../format';
import type { OpenConnection } from '../messages.gen';
import { type Model, RATE_SECONDS } from '../model';
import { Chart, type Colours } from '../parts/chart';
import { Empty } from '../parts/empty';

const SECONDS = Array.from({ length: RATE_SECONDS }, (_, place) => place - RATE_SECONDS + 1);

export function Sockets({ model }: SectionProps) {
  const { open, closed } = model.sockets;
  if (open.length + closed.length === 0) {
    return (
      <Empty
        model={model}
        title="No sockets"
        when="When the page opens a WebSocket or an event stream, its message rates appear here."
      />
    );
  }
  return (
    <div class="stack">
      {open.length > 0 && (
        <section aria-labelledby="open-sockets">
          <h2 id="open-sockets">Open</h2>
          <ul class="cards">
            {open.map((socket) => (
              <Socket key={socket.id} socket={socket} model={model} />
            ))}
          </ul>
        </section>
      )}
      {closed.length > 0 && (
        <section aria-labelledby="closed-sockets">
          <h2 id="closed-sockets">Closed lately</h2>
          <div class="card scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Address</th>
                  <th scope="col">Closed</th>
                  <th scope="col">Code</th>
                  <th scope="col">Received</th>
                  <th scope="col">Sent</th>
                </tr>
              </thead>
              <tbody>
                {closed.map(({ id, url, closedAt, closeCode, closeReason, totalMessages }) => (
                  <tr key={id}>
                    <td class="wide">{path(url)}</td>
                    <td>{closedAt && clock(Date.parse(closedAt), false)}</td>
                    <td class={closeCode === 1000 || closeCode === 1001 ? '' : 'bad'}>
                      {closeCode ?? 'unknown'} {closeReason}
                    </td>
                    <td>{count(totalMessages.incoming)}</td>
                    <td>{count(totalMessages.outgoing)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
    </div>
  );
}

function Socket({ socket, model }: { socket: OpenConnection; model: Model }) {
  const { url, state, duration, messageRate, lastMessage, sampling } = socket;
  const rates = model.rates.get(socket.id);
  return (
    <li class="card socket" data-test="socket">
      <h3>
        {path(url)}
        <span class="pill" data-state={state === 'open' ? 'connected' : 'connecting'}>
          {state}
        </span>
      </h3>
      <p class="sub">
        {duration && <span>for {duration}</span>}
        {sampling?.active && <span class="tag">sampled {sampling.rate}</span>}
      </p>
      <div class="ways">
        {(['incoming', 'outgoing'] as const).map((way) => {
          const { perSecond, total, bytes: size } = messageRate[way];
          return (
            <div key={way}>
              <h4>
                {way === 'incoming' ? 'Received' : 'Sent'} <b>{short(perSecond)}/s</b>
              </h4>
              <Sparkline
                values={rates?.[way] ?? []}
                label={`${way} messages of the last minute, now ${short(perSecond)} a second`}
                isOut={way === 'outgoing'}
              />
              <p class="sub">
                {plural(total, 'message')}, {bytes(size)}
              </p>
              {lastMessage?.[way]?.preview && <code class="preview">{lastMessage[way]?.preview}</code>}
            </div>
          );
        })}
      </div>
    </li>
  );
}

function Sparkline({ values, label, isOut }: { values: number[]; label: string; isOut: boolean }) {
  const data = useMemo(
    () => [SECONDS, values.length > 0 ? values : SECONDS.map(() => 0)] as uPlot.AlignedData,
    [values],
  );
  const options = (colours: Colours): Omit<uPlot.Options, 'width' | 'height'> => ({
    legend: { show: false },
    cursor: { show: false },
    padding: [3, 0, 1, 0],
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(1, most)] } },
    axes: [{ show: false }, { show: false }],
    series: [
      {},
      {
        stroke: isOut ? colours.muted : colours.accent,
        fill: `${isOut ? colours.muted : colours.accent}22`,
        width: 1.5,
        points: { show: false },
      },
    ],
  });
  return <Chart data={data} options={options} height={44} label={label} />;
}
