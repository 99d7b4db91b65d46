/** Refusals of operations as assistants get them: with what is known, and the next step. */
import { unreachableText } from '../access/channels.ts';
import { ToolRefusal } from './api.ts';

/** A refusal with the step that leads on from it. */
export function withNextStep(
  { message }: ToolRefusal,
  operation: string,
  fields: readonly string[],
): ToolRefusal {
  return new ToolRefusal([message, ...nextSteps(message, operation, fields)].join('; '));
}

function nextSteps(message: string, operation: string, fields: readonly string[]): string[] {
  if (!message.startsWith('400:')) return [];
  const isOfStore = message.includes(unreachableText) || /\bchannelIds? (?:is|must)/.test(message);
  const steps = [
    ...(message.includes(' is not known') ? [knownFields(fields)] : []),
    ...(isOfStore ? ['listChannels lists the stores of the key'] : []),
  ];
  return steps.length > 0 ? steps : [`find_operations with ${operation} explains its fields`];
}

/** The fields that a tool knows, in words. */
export function knownFields(fields: readonly string[]): string {
  return `the fields are ${fields.join(', ')}`;
}
