/**
 * Rules about the names that a definition gives: node ids, branch ids, variables, loop names.
 */
import { RESERVED_WORDS } from '../expressions/reserved-words.ts';
import type { IssueList } from '../issue.ts';
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { JsonObject } from '../types.ts';
import type { Rule } from './context.ts';
import type { NodeOutline } from './outline.ts';
import { RUN_NAMES } from './sites.ts';

const DANGEROUS = new Set(['__proto__', 'prototype', 'constructor']);
/** What a loop cannot call its item: it would hide a name of the run, or could never be read. */
const TAKEN: ReadonlySet<string> = new Set([...RUN_NAMES, 'index', ...RESERVED_WORDS]);

/** Node ids are unique in the whole document, branch ids in their node, and no name reaches a prototype. */
export const checkIdentifiers: Rule = ({ outline, issues }) => {
  checkNames(outline.document['vars'], ['vars'], issues);
  for (const node of outline.nodes) {
    if (node.id !== null) checkNodeId(node.id, node, { first: outline.byId.get(node.id), issues });
    const config = node.raw['config'];
    if (!isObject(config)) continue;
    const keys = [...node.keys, 'config'];
    if (node.type === 'assign') checkNames(config['vars'], [...keys, 'vars'], issues);
    if (node.type === 'parallel') checkBranchIds(config, keys, issues);
    if (node.type === 'forEach') checkLoopName(config, keys, issues);
  }
};

interface NodeIdCheck {
  readonly first: NodeOutline | undefined;
  readonly issues: IssueList;
}

function checkNodeId(id: string, node: NodeOutline, { first, issues }: NodeIdCheck): void {
  const keys = [...node.keys, 'id'];
  refuseDangerous(id, keys, issues);
  if (first !== node) issues.add('definition.duplicate_node_id', keys, `the node id "${id}" is used twice`);
}

function checkNames(vars: unknown, keys: Keys, issues: IssueList): void {
  if (typeof vars !== 'object' || vars === null) return;
  for (const name of Object.keys(vars)) refuseDangerous(name, [...keys, name], issues);
}

function checkBranchIds(config: JsonObject, keys: Keys, issues: IssueList): void {
  const { branches } = config;
  if (!isList(branches)) return;
  const seen = new Set<string>();
  for (const [index, branch] of branches.entries()) {
    const id = typeof branch === 'object' && branch !== null && 'id' in branch ? branch.id : null;
    if (typeof id !== 'string') continue;
    const idKeys = [...keys, 'branches', index, 'id'];
    refuseDangerous(id, idKeys, issues);
    if (seen.has(id)) issues.add('definition.duplicate_branch_id', idKeys, `two branches have the id "${id}"`);
    seen.add(id);
  }
}

function checkLoopName(config: JsonObject, keys: Keys, issues: IssueList): void {
  const name = config['as'];
  if (typeof name !== 'string') return;
  refuseDangerous(name, [...keys, 'as'], issues);
  if (TAKEN.has(name)) {
    issues.add('definition.reserved_name', [...keys, 'as'], `"${name}" already has a meaning in expressions`);
  }
}

function refuseDangerous(name: string, keys: Keys, issues: IssueList): void {
  if (DANGEROUS.has(name)) issues.add('definition.reserved_name', keys, `a name must not be "${name}"`);
}
