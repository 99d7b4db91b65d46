#!/usr/bin/env node
/** The command line. */
import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { addImport } from './import.ts';
import { addServe } from './serve.ts';

const program = new Command('vitrine').description('The open, self-hostable commerce analytics and reporting API').showHelpAfterError();
addServe(program);
addImport(program);

try {
  await program.parseAsync();
} catch (error) {
  // What the user can put right needs no stack.
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
