// The errors, each failure once, with its place in the developer's own files.

import { useState } from 'preact/hooks';
import type { SectionProps } from '../app';
import { contextOf, type Snippet } from '../error-context';
import { ago, clock, path } from '../format';
import { useInSight } from '../hooks';
import type { ErrorBrief } from '../messages.gen';
import { Empty } from '../parts/empty';
import { Facts, Text } from '../parts/json';
import { Picker } from '../parts/picker';

export function Errors({ model }: SectionProps) {
  const [selected, setSelected] = useState<string>();
  const [noisy, setNoisy] = useState(false);
  const noise = model.errors.filter((group) => group.noise).length;
  const shown = model.errors
    .filter((group) => noisy || !group.noise)
    .sort((a, b) => Date.parse(b.last_seen) - Date.parse(a.last_seen));
  if (model.errors.length === 0) {
    return (
      <Empty
        model={model}
        title="No errors"
        when="When something fails in the page, it appears here with its place in your code."
      />
    );
  }
  const group = shown.find(({ id }) => id === selected) ?? shown[0];
  return (
    <div class="split">
      <div class="side">
        {noise > 0 && (
          <label class="chip">
            <input type="checkbox" checked={noisy} onChange={() => setNoisy(!noisy)} />
            Show noise ({noise})
          </label>
        )}
        <Picker
          label="Errors"
          items={shown}
          keyOf={({ id }) => id}
          selected={group?.id}
          onSelect={setSelected}
          view={(each) => (
            <>
              <strong class="message">{each.message}</strong>
              <span class="sub">
                {placeOf(each) && <code>{placeOf(each)}</code>}
                <span>{ago(Date.parse(each.last_seen), model.now())}</span>
                {(each.count ?? 1) > 1 && <span class="count bad">×{each.count}</span>}
                {each.since_update && <span class="tag">{each.since_update} since the last update</span>}
                {each.noise && <span class="tag">noise</span>}
              </span>
            </>
          )}
        />
        {model.errorTotal > model.errors.length && (
          <p class="none">
            The latest {model.errors.length} of {model.errorTotal}.
          </p>
        )}
      </div>
      {group ? <Detail group={group} chosen={selected} /> : <p class="none">Only noise so far.</p>}
    </div>
  );
}

/** The place in the developer's own file if a source map has it, otherwise the browser's. */
function placeOf(error: ErrorBrief): string | undefined {
  const [snippet] = contextOf(error).sourceSnippets ?? [];
  return snippet ? `${snippet.file}:${snippet.line}` : error.at;
}

function Detail({ group, chosen }: { group: ErrorBrief; chosen: string | undefined }) {
  const title = useInSight<HTMLHeadingElement>(chosen);
  const { sourceSnippets = [], componentAncestry, summary, stateSnapshot } = contextOf(group);
  const components = componentAncestry?.components ?? [];
  const place = placeOf(group);
  const facts: Record<string, unknown> = {
    kind: group.type,
    request: group.requestUrl && `${group.method ?? 'GET'} ${group.requestUrl}`,
    status: group.status,
    times: group.count,
    'first seen': clock(Date.parse(group.first_seen)),
    'last seen': clock(Date.parse(group.last_seen)),
    page: (group.pages ?? [group.url]).map((url) => path(url)).join(', '),
    noise: group.noise,
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''));
  return (
    <article class="details" data-test="error">
      <h2 ref={title}>{group.message}</h2>
      {place && (
        <p class="place" data-test="error-at">
          <code>{place}</code>
        </p>
      )}
      {summary && <p class="summary">{summary}</p>}
      {components.length > 0 && (
        <section>
          <h3>Components{componentAncestry?.framework && ` (${componentAncestry.framework})`}</h3>
          <ol class="chain" data-test="components">
            {components.map(({ name, source }, place) => (
              <li key={`${place}-${name}`} title={source}>
                <span>{name}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {sourceSnippets.map((snippet) => (
        <Code key={`${snippet.file}:${snippet.line}`} of={snippet} />
      ))}
      <Facts of={known} />
      {group.responseBody && <Text title="Response" text={group.responseBody} />}
      {group.stack && <Text title="Stack" text={group.stack} />}
      {stateSnapshot !== undefined && <Text title="State" text={JSON.stringify(stateSnapshot, null, 2)} />}
    </article>
  );
}

function Code({ of: { file, line, snippet } }: { of: Snippet }) {
  return (
    <section class="text">
      <h3>
        {file}:{line}
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable elements must be reachable without a mouse */}
      <pre class="code" tabIndex={0} data-test="snippet">
        {snippet.map((each) => (
          <div key={each.line} class={each.isError ? 'here' : ''}>
            <span class="number">{each.line}</span>
            {each.text}
            {'\n'}
          </div>
        ))}
      </pre>
    </section>
  );
}
