// axe's results, reduced to what a developer needs to repair the page.

import type { AxeResults, CrossTreeSelector, NodeResult, Result } from 'axe-core';
import { AUDIT_HTML_CHARS, AUDIT_NODES } from 'gasoline-capture/limits.gen';
import { cut } from 'gasoline-capture/text';
import type { AuditReport } from 'gasoline-capture/wire.gen';
import { INSIDE } from '../notation';
import { fixFor } from './fix';

const INCOMPLETE_NODES = 3;
const SUMMARY_CHARS = 500;
const IMPACTS = ['critical', 'serious', 'moderate', 'minor'];

type Readable = (target: CrossTreeSelector[]) => CrossTreeSelector[];

export function reportOf(
  results: AxeResults,
  includePasses: boolean,
  readable: Readable = (target) => target,
): AuditReport {
  const describeNode = ({ target, html, failureSummary }: NodeResult) => ({
    selector: selectorOf(readable(target)),
    html: cut(html, AUDIT_HTML_CHARS),
    failureSummary: cut(oneLine(failureSummary ?? ''), SUMMARY_CHARS),
  });
  const { violations, incomplete, passes, inapplicable } = results;
  return {
    url: location.href,
    timestamp: results.timestamp,
    summary: {
      violations: violations.length,
      passes: passes.length,
      incomplete: incomplete.length,
      inapplicable: inapplicable.length,
    },
    violations: byImpact(violations).map((rule) => ({
      ...describeRule(rule),
      nodes: rule.nodes.slice(0, AUDIT_NODES).map((node) => ({ ...describeNode(node), fix: fixFor(rule, node) })),
      nodeCount: rule.nodes.length,
    })),
    ...(incomplete.length > 0 && {
      incomplete: byImpact(incomplete).map((rule) => ({
        ...describeRule(rule),
        nodes: rule.nodes.slice(0, INCOMPLETE_NODES).map(describeNode),
        nodeCount: rule.nodes.length,
      })),
    }),
    ...(includePasses && {
      passes: passes.map(({ id, description, nodes }) => ({ id, description, nodeCount: nodes.length })),
    }),
  };
}

export function byImpact<Rule extends Pick<Result, 'impact'>>(rules: Rule[]): Rule[] {
  const rank = ({ impact }: Rule) =>
    IMPACTS.includes(impact ?? '') ? IMPACTS.indexOf(impact as string) : IMPACTS.length;
  return rules.toSorted((first, second) => rank(first) - rank(second));
}

function describeRule({ id, impact, description, helpUrl, tags }: Result) {
  return { id, impact: impact ?? null, description, helpUrl, wcag: wcagOf(tags) };
}

/** Levels as they are, criteria as people write them: `wcag143` becomes 1.4.3. */
export function wcagOf(tags: string[]): string[] {
  return tags.flatMap((tag) => {
    if (/^wcag\d+a+$/.test(tag)) return [tag];
    const criterion = /^wcag(\d)(\d)(\d+)$/.exec(tag);
    return criterion ? [criterion.slice(1).join('.')] : [];
  });
}

export function selectorOf(target: CrossTreeSelector[]): string {
  return target.flat().join(INSIDE);
}

/** Removes the headings that axe puts between its messages. */
export function oneLine(summary: string): string {
  return summary
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^Fix (any|all) of the following:$/.test(line))
    .join('; ');
}
