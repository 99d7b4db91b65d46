#!/usr/bin/env node
// Runs the command line, after the setup in a clone: `node scripts/run.mjs serve`. In the npm
// package it is the program `vitrine`, and everything is built.
//
// Three caches make a start fast. The first start builds them, and later ones keep them up to date:
// 1. compiled code (node_modules/.cache/vitrine), by Node's own compile cache, enabled here and for
//    other ways to start in src/cli/start.ts;
// 2. bundles of the libraries (node_modules/.cache/vitrine/bundles): a few large files load faster
//    than a thousand small ones. Made by scripts/bundle.mjs, used by src/cli/start.ts;
// 3. the pages for browsers (dist/pages), made by scripts/pages.mjs.
// Without them everything works, only slower. The heap flags are in package.json, under "config".
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src', 'cli', 'vitrine.ts');
const isClone = existsSync(source);
const commandLine = isClone ? source : join(root, 'dist', 'service', 'src', 'cli', 'vitrine.js');
const nodeMin = '24.7';
const isNew = process.versions.node.localeCompare(nodeMin, 'en', { numeric: true }) >= 0;

// Imported only now, so that the modules of the setup come from the cache as well. Node 20 has
// none.
module.enableCompileCache?.(join(root, 'node_modules', '.cache', 'vitrine'));
if (isClone) await import('./setup.mjs');

const words = process.argv.slice(2);
const flags = process.execArgv.length > 0 || words[0] !== 'serve' ? process.execArgv : heapFlags();
if (isNew && flags.length === process.execArgv.length) {
  process.argv[1] = commandLine;
  await import(pathToFileURL(commandLine).href);
} else {
  runIn(isNew ? process.execPath : pinnedNode());
}

/** The flags of the service's memory, which only a new process can have. */
function heapFlags() {
  if (process.env.NODE_OPTIONS?.includes('-space-size')) return [];
  const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return (process.env.VITRINE_HEAP || config.heap).split(' ').filter((flag) => flag !== '');
}

/** The Node that npm installs with the other dependencies, which an older one starts. */
function pinnedNode() {
  const { resolve } = module.createRequire(import.meta.url);
  try {
    const installed = resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(installed, '..', 'bin', 'node');
  } catch {
    console.error(
      `Vitrine needs Node ${nodeMin} or later: install it, or use Linux, where npm installs it.`,
    );
    process.exit(1);
  }
}

/**
 * Runs the command line in a process that gets the signals that this one gets. It is in a group of
 * its own: a signal to this group would reach it twice, and the second one cuts the service off.
 */
function runIn(node) {
  const child = spawn(node, [...flags, commandLine, ...words], {
    stdio: 'inherit',
    detached: true,
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Vitrine could not start ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
