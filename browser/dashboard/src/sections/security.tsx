// The audit's findings in the captured traffic, the most severe first.

import type { SectionProps } from '../app';
import { plural } from '../format';
import { Empty } from '../parts/empty';
import { Facts } from '../parts/json';

export function Security({ model }: SectionProps) {
  const { security } = model;
  const scanned = security?.summary.scanned;
  if (!security || !scanned || scanned.network_requests + scanned.console_entries === 0) {
    return (
      <Empty
        model={model}
        title="Nothing to audit"
        when="Use your app. Its requests and logs are checked for credentials, personal data, unsafe transport, headers and cookies."
      />
    );
  }
  const { findings, summary, hasBodies } = security;
  return (
    <div class="stack">
      <p class="lead" data-test="audit-summary">
        {summary.total === 0 ? 'Nothing found' : plural(summary.total, 'finding')} in{' '}
        {plural(scanned.network_requests, 'request')} to {plural(scanned.unique_endpoints, 'endpoint')} and{' '}
        {plural(scanned.console_entries, 'console entry', 'console entries')}.
        {!hasBodies && ' Bodies were not captured: turn on “Network bodies” in the popup to check them, too.'}
      </p>
      <ul class="cards">
        {findings.map((finding, place) => (
          <li
            key={`${place}-${finding.title}`}
            class="card finding"
            data-severity={finding.severity}
            data-test="finding"
          >
            <h2>
              <span class="tag" data-severity={finding.severity}>
                {finding.severity}
              </span>{' '}
              {finding.title}
            </h2>
            <p>{finding.description}</p>
            <Facts of={finding.evidence} />
            <p class="advice">{finding.recommendation}</p>
            <p class="sub">
              <span>{finding.category.replace(/_/g, ' ')}</span>
              {finding.cwe && <span>{finding.cwe}</span>}
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
