/**
 * `define`: a definition in TypeScript, whose references, payloads and jumps the compiler checks.
 *
 * What it is not: another language. `build()` gives the same plain document that people write in JSON or YAML.
 */
import { Chain } from './chain.ts';
import type { DefinitionOptions, Head, HeadContext } from './head.ts';

/**
 * @example
 * const onboarding = define('onboarding')
 *   .on<Lead>('lead.created', { filters: { source: 'Facebook' } })
 *   .action('assign', assignLead, ({ event }) => ({ leadId: event.data.id, team: 'enterprise' }), { undo: true })
 *   .delay('wait', '2h')
 *   .action('tell', tellOwner, ({ nodes }) => ({ ownerId: nodes.assign.output.ownerId }))
 *   .build();
 */
export function define(id: string, options: DefinitionOptions = {}): Beginning {
  return new Chain({ id, ...options }) as unknown as Beginning;
}

/** Without types, which `on`, `input` and `vars` give. */
type Beginning = Head<HeadContext<never, unknown, { readonly [name: string]: unknown }>>;
