#!/usr/bin/env node
/** The command line. */
import { runCommandLine } from './program.ts';
import { keepCompiled, useBundles } from './start.ts';

keepCompiled();
useBundles();
await runCommandLine(process.argv.slice(2));
