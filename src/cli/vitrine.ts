#!/usr/bin/env node
/** The command line. */
import { ConfigError } from '../config.ts';
import { programOf } from './program.ts';
import { exitCodes } from './service.ts';
import { keepCompiled, useBundles } from './start.ts';

keepCompiled();
useBundles();
try {
  const program = await programOf(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  // What the user can put right needs no stack.
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = exitCodes.failed;
}
