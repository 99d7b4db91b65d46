/** The shape of a tool. */
import type Type from 'typebox';
import type { TObject } from 'typebox';
import { compileCheck, sayFailures } from '../contract/check.ts';
import type { Rule } from '../contract/endpoint.ts';
import type { JsonSchema } from '../contract/jsonSchema.ts';
import { type Api, Calls, ToolRefusal } from './api.ts';
import { leanSchema } from './leanSchemas.ts';
import { type Figures, type Output, outputFrom } from './output.ts';
import { knownFields } from './refusals.ts';

/** A tool as assistants list it. */
export type ListedTool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: false;
    readonly openWorldHint: false;
  };
};

/** A JSON Schema of an object. */
export type ObjectSchema = { readonly type: 'object'; readonly [keyword: string]: unknown };

/** A tool with its work; it throws ToolRefusal to refuse. */
export type Tool = {
  readonly listed: ListedTool;
  readonly run: (input: Readonly<Record<string, unknown>>, api: Api) => Promise<Output>;
};

/** The parts of a tool before its schema is written. */
type Parts = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  readonly isReadOnly?: boolean;
};

/** A tool as it is listed. */
export function listedTool({ name, title, description, ...parts }: Parts): ListedTool {
  const { input, isReadOnly = true } = parts;
  return {
    name,
    title,
    description,
    inputSchema: {
      ...(leanSchema(input as TObject & JsonSchema, 'brief') as ObjectSchema),
      additionalProperties: false,
    },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
  };
}

/** Makes a tool that thinks: it makes several calls to answer one question of a person. */
export function thinkingTool<Input extends TObject>(
  parts: Omit<Parts, 'input'> & { readonly input: Input; readonly rules?: readonly Rule[] },
  think: (input: Type.Static<Input>, calls: Calls) => Promise<Figures>,
): Tool {
  const { input: body, rules = [] } = parts;
  const check = compileCheck({ body, rules });
  return {
    listed: listedTool(parts),
    async run(given, api) {
      const { input, failures } = check.run({ body: given }, true);
      if (failures.length > 0) {
        const fields = knownFields(Object.keys(body.properties));
        throw new ToolRefusal(`400: ${sayFailures(failures)}; ${fields}`);
      }
      const calls = new Calls(api);
      return outputFrom(calls, await think(input as Type.Static<Input>, calls));
    },
  };
}
