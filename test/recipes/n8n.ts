/** The part of n8n that the recipe uses: its nodes, their connections and expressions. */
import assert from 'node:assert/strict';
import { sent } from './replay.ts';

const stepsMax = 5_000;

type Item = Readonly<Record<string, unknown>>;
type Node = {
  readonly name: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type of node has parameters of its own.
  readonly parameters: any;
};
type Workflow = {
  readonly nodes: readonly Node[];
  readonly connections: Readonly<
    Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>
  >;
};

/** The settings of a run. */
export type WorkflowSettings = {
  /** Values that replace the values of the node Settings. */
  readonly settings: Item;
  readonly key: string;
  /** The clock, in epoch milliseconds. */
  readonly now: number;
  /** The address that a request goes to instead of a printed one. */
  readonly redirected: (url: string) => string;
  readonly wait: () => Promise<void>;
};

/** Runs a workflow from its trigger; returns the items that each node passed on last. */
export async function runWorkflow(workflow: Workflow, parts: WorkflowSettings) {
  const outputs = new Map<string, readonly Item[]>();
  const trigger = workflow.nodes.find(({ type }) => type.endsWith('Trigger'))!;
  const due: { readonly name: string; readonly items: readonly Item[] }[] = [
    { name: trigger.name, items: [{}] },
  ];
  for (let step = 0; due.length > 0; step++) {
    assert.ok(step < stepsMax, 'the workflow does not end');
    const { name, items } = due.shift()!;
    const node = workflow.nodes.find((one) => one.name === name)!;
    const branches = await runNode(node, items, { ...parts, outputs });
    outputs.set(name, branches.flat());
    for (const [place, followers] of (workflow.connections[name]?.main ?? []).entries())
      for (const follower of followers)
        if (branches[place]!.length > 0) due.push({ name: follower.node, items: branches[place]! });
  }
  return outputs;
}

type RunParts = WorkflowSettings & { readonly outputs: ReadonlyMap<string, readonly Item[]> };

/** Runs a node; returns its items by output. */
async function runNode({ type, parameters }: Node, items: readonly Item[], parts: RunParts) {
  switch (type) {
    case 'n8n-nodes-base.scheduleTrigger':
      return [items];
    case 'n8n-nodes-base.set': {
      const assignments = parameters.assignments.assignments as { name: string; value: unknown }[];
      const values = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));
      assert.deepEqual(Object.keys(parts.settings), Object.keys(values));
      return [[parts.settings]];
    }
    case 'n8n-nodes-base.httpRequest':
      return [(await Promise.all(items.map((item) => request(parameters, item, parts)))).flat()];
    case 'n8n-nodes-base.splitOut':
      return [items.flatMap((item) => item[parameters.fieldToSplitOut] as Item[])];
    case 'n8n-nodes-base.filter':
      return [items.filter((item) => holds(parameters, item, parts))];
    case 'n8n-nodes-base.if': {
      const passed = items.filter((item) => holds(parameters, item, parts));
      return [passed, items.filter((item) => !passed.includes(item))];
    }
    case 'n8n-nodes-base.wait':
      await parts.wait();
      return [items];
    default:
      throw new Error(`${type}: ${evaluated(parameters.errorMessage, items[0]!, parts)}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see Node.
async function request(parameters: any, item: Item, parts: RunParts): Promise<Item[]> {
  const { method, url, jsonBody, authentication, options } = parameters;
  const headers = {
    ...(authentication === undefined ? {} : { 'x-api-key': parts.key }),
    ...(jsonBody !== undefined && { 'content-type': 'application/json' }),
  };
  const { followRedirects } = options.redirect?.redirect ?? {};
  assert.equal(followRedirects, authentication && false, 'a redirect would take the key along');
  const pagination = options.pagination?.pagination;
  const pages: Item[] = [];
  for (let isLast = false; !isLast; ) {
    const given = jsonBody === undefined ? undefined : JSON.parse(evaluated(jsonBody, item, parts));
    const body = given && { ...given, ...parametersOf(pagination, item, parts, pages.length) };
    const answer = await sent({
      method,
      url: parts.redirected(evaluated(url, item, parts)),
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    assert.equal(answer.status, 200, answer.text);
    const isFile = options.response?.response.responseFormat === 'file';
    const page = isFile ? { data: answer.text } : JSON.parse(answer.text);
    pages.push(page);
    const ends = pagination?.completeExpression ?? '={{ true }}';
    isLast = evaluated(ends, item, parts, { $response: { body: page } }) === 'true';
  }
  return pages;
}

// biome-ignore lint/suspicious/noExplicitAny: see Node.
function parametersOf(pagination: any, item: Item, parts: RunParts, $pageCount: number): Item {
  const entries = (pagination?.parameters.parameters ?? []) as { name: string; value: string }[];
  const values = entries.map(({ name, value }) => {
    return [name, Number(evaluated(value, item, parts, { $pageCount }))] as const;
  });
  return Object.fromEntries(values);
}

// biome-ignore lint/suspicious/noExplicitAny: see Node.
function holds(parameters: any, item: Item, parts: RunParts): boolean {
  const [{ leftValue, rightValue, operator }] = parameters.conditions.conditions;
  const left = evaluated(leftValue, item, parts);
  return operator.operation === 'equals' ? left === rightValue : left !== rightValue;
}

/** The value of a parameter: text, or an expression behind "=". */
function evaluated(text: string, item: Item, { outputs, now }: RunParts, more: Item = {}): string {
  if (!text.startsWith('=')) return text;
  const nodeOf = (name: string) => ({ item: { json: outputs.get(name)![0] } });
  class Clock extends Date {
    static override now() {
      return now;
    }
  }
  return text
    .slice(1)
    .replaceAll(/\{\{(.+?)\}\}/g, (_, expression: string) =>
      String(
        new Function('$json', '$', 'Date', ...Object.keys(more), `return (${expression})`)(
          ...[item, nodeOf, Clock, ...Object.values(more)],
        ),
      ),
    );
}
