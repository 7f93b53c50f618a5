/** Findings as a Markdown table, with the target beside each. */
import { type Finding, isMet, type Target } from './finding.ts';

const HEAD = ['workload', 'measure', 'Fermata', 'compared with', 'ratio', 'target', 'met'];
const SIGN = { 'at least': '≥', 'at most': '≤', exactly: '=' } as const;

export function asTable(findings: readonly Finding[]): string {
  return [HEAD, HEAD.map(() => '---'), ...findings.map(asRow)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function asRow(finding: Finding): string[] {
  const { workload, measure, value, base, ratio, target } = finding;
  const met = isMet(finding);
  return [
    workload,
    measure,
    figure(value),
    base === null ? '–' : `${figure(base.value)} ${base.name}`,
    ratio === null ? '–' : `${ratio.toFixed(2)} ×`,
    target === null ? '–' : asTarget(target),
    met === null ? '–' : met ? 'yes' : '**no**',
  ];
}

function asTarget({ of, bound, limit }: Target): string {
  return of === 'ratio' ? `${SIGN[bound]} ${limit.toFixed(2)} ×` : `${SIGN[bound]} ${figure(limit)}`;
}

/** Three digits that count, and no more than the measuring is worth. */
function figure(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}
