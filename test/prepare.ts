/** Prepares a process of tests, before any file of tests and before Node's test runner. */
import { useBundles } from '../src/cli/start.ts';
import './tracking.ts';

// As the service has its libraries: a file of tests then starts in two thirds of the time.
useBundles();
