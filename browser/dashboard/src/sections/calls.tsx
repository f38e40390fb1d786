// The calls of AI clients with their answers: they show which data leaves the buffers.

import { useState } from 'preact/hooks';
import type { SectionProps } from '../app';
import { bytes, clock, count, millis, plural, pretty } from '../format';
import { useAsked, useInSight } from '../hooks';
import type { CallBrief, WholeCall } from '../messages.gen';
import { Facts, Text } from '../parts/json';
import { Picker } from '../parts/picker';
import { ask } from '../session';

export function Calls({ model }: SectionProps) {
  const [selected, setSelected] = useState<string>();
  const { calls } = model;
  if (calls.length === 0) {
    const clients = model.status?.clients.length ?? 0;
    return (
      <div class="empty" data-test="empty">
        <h2>No AI client has asked yet</h2>
        <p>
          {clients > 0
            ? `${plural(clients, 'client')} connected, but none has called a tool.`
            : 'No AI client is connected.'}
        </p>
        <p>
          {clients > 0 ? (
            'Ask it: “What went wrong in my browser?”'
          ) : (
            <>
              Run <code>gasoline install</code>, or <code>gasoline</code> in a terminal, to see how to connect one.
            </>
          )}
        </p>
      </div>
    );
  }
  const newest = calls.toReversed();
  const call = newest.find(({ number }) => String(number) === selected) ?? (newest[0] as CallBrief);
  const total = (of: (call: CallBrief) => number) => calls.reduce((sum, each) => sum + of(each), 0);
  return (
    <div class="stack">
      <p class="lead" data-test="calls-summary">
        {plural(calls.length, 'call')}, answered with {bytes(total(({ answerBytes }) => answerBytes))} of text, about{' '}
        {count(total(({ tokens }) => tokens))} tokens. Credentials were replaced before anything was stored.
      </p>
      <div class="split">
        <div class="side">
          <Picker
            label="Calls"
            items={newest}
            keyOf={({ number }) => String(number)}
            selected={String(call.number)}
            onSelect={setSelected}
            view={(each) => (
              <>
                <strong class="message">
                  {each.tool} {each.failed && <span class="count bad">failed</span>}
                </strong>
                {each.arguments !== '{}' && <code class="preview">{each.arguments}</code>}
                <span class="sub">
                  <span>{clock(each.at, false)}</span>
                  <span>{each.client ?? 'unnamed client'}</span>
                  <span>{bytes(each.answerBytes)}</span>
                  <span>~{count(each.tokens)} tokens</span>
                </span>
              </>
            )}
          />
        </div>
        <Detail call={call} chosen={selected} />
      </div>
    </div>
  );
}

function Detail({ call, chosen }: { call: CallBrief; chosen: string | undefined }) {
  const title = useInSight<HTMLHeadingElement>(chosen);
  const { value, problem } = useAsked(String(call.number), (number) => ask<WholeCall>(`call?number=${number}`));
  const answer = value?.answer ?? '';
  const cut = call.answerBytes - new TextEncoder().encode(answer).length;
  return (
    <article class="details" data-test="call">
      <h2 ref={title}>{call.tool}</h2>
      <Facts
        of={{
          client: call.client ?? 'unnamed',
          at: clock(call.at),
          took: millis(call.millis),
          answer: `${bytes(call.answerBytes)}, about ${count(call.tokens)} tokens`,
          ...(call.pictureBytes && { picture: bytes(call.pictureBytes) }),
          outcome: call.failed ? 'failed' : 'fine',
        }}
      />
      {problem && <p class="none">{problem}</p>}
      {value && <Text title="Arguments" text={pretty(value.argumentsText ?? '{}')} />}
      {value && <Text title="Answer" text={pretty(answer)} />}
      {value && cut > 0 && <p class="none">{bytes(cut)} more were not stored.</p>}
    </article>
  );
}
