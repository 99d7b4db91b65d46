/** Loads libraries from their bundles, as the service does: a test file then starts in two thirds of the time. */
import { useBundles } from '../src/cli/start.ts';

useBundles();
