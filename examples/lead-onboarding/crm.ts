/**
 * A small CRM: the leads, tags and messages that the commands write, in the schema `crm` of a PostgreSQL database.
 *
 * What it stands for: the system of yours that the steps of a run change. It knows nothing of runs, only of keys: a
 * write under a key that it has seen before changes nothing and answers as it did the first time.
 */
import { exampleDatabase } from '../example-database.ts';

const { query, close } = exampleDatabase(
  'crm',
  `create schema if not exists crm;
  create table if not exists crm.owners (id text primary key, team text not null);
  create table if not exists crm.leads (id text primary key, team text, owner_id text, assigned_by text);
  create table if not exists crm.tags (lead_id text, tag text, primary key (lead_id, tag));
  create table if not exists crm.messages (
    key text primary key, channel text not null, recipient text not null, body text not null,
    sent_at timestamptz not null default now()
  );
  insert into crm.owners values ('olga', 'enterprise'), ('omar', 'enterprise'), ('otto', 'starter') on conflict do nothing;`,
);

/** Ends the connections of the CRM. */
export const closeCrm = close;

/** Whoever of the team has the fewest leads becomes the owner; the same key keeps the owner of the first time. */
const ASSIGN = `
  insert into crm.leads as lead (id, team, owner_id, assigned_by)
  values ($1, $2, (
    select owner.id from crm.owners owner left join crm.leads theirs on theirs.owner_id = owner.id
    where owner.team = $2 group by owner.id order by count(theirs.id), owner.id limit 1
  ), $3)
  on conflict (id) do update set
    team = excluded.team,
    owner_id = case when lead.assigned_by = excluded.assigned_by then lead.owner_id else excluded.owner_id end,
    assigned_by = excluded.assigned_by
  returning owner_id as "ownerId"
`;

const UNASSIGN = 'update crm.leads set owner_id = null, assigned_by = null where id = $1 and assigned_by = $2';

export interface Assignment {
  readonly leadId: string;
  readonly team: string;
  readonly key: string;
}

export interface Message {
  readonly channel: 'email' | 'sms';
  readonly recipient: string;
  readonly body: string;
  readonly key: string;
}

/** Gives the lead an owner and tells who; `null` where the team has nobody. */
export async function assign({ leadId, team, key }: Assignment): Promise<string | null> {
  const [lead] = await query<{ ownerId: string | null }>(ASSIGN, [leadId, team, key]);
  return lead?.ownerId ?? null;
}

/** Takes back the assignment made under `key`, unless another has replaced it. */
export async function unassign(leadId: string, key: string): Promise<void> {
  await query(UNASSIGN, [leadId, key]);
}

/** Gives all tags that the lead has then. */
export async function addTag(leadId: string, tag: string): Promise<string[]> {
  await query('insert into crm.tags values ($1, $2) on conflict do nothing', [leadId, tag]);
  const rows = await query<{ tag: string }>('select tag from crm.tags where lead_id = $1 order by tag', [leadId]);
  return rows.map((row) => row.tag);
}

/** Puts a message on its way, once per key. */
export async function send({ channel, recipient, body, key }: Message): Promise<void> {
  const sql = 'insert into crm.messages (key, channel, recipient, body) values ($1, $2, $3, $4) on conflict do nothing';
  await query(sql, [key, channel, recipient, body]);
}
