#!/usr/bin/env node
/** The command line. */
import { runCommandLine } from './program.ts';
import { cacheCompiled, useBundles } from './start.ts';

cacheCompiled();
useBundles();
await runCommandLine(process.argv.slice(2));
