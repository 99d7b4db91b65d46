/** Reads the modules of the service and the TypeScript client, and checks them against the rules. */
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

/** Fewer modules than this means that they were not found, which would pass every rule. */
const modulesMin = 60;

/** The modules with their imports, and the rules they break. */
export async function readModules(): Promise<ICruiseResult> {
  const options = {
    ...(await extractOptions('./.dependency-cruiser.mjs')),
    // Layers and rooms read the same modules, one after the other.
    cache: { folder: 'node_modules/.cache/modules', strategy: 'content' as const },
  };
  const { output } = await cruise(
    ['demonstration', 'src', 'schema', 'clients/typescript/src'],
    options,
    undefined,
    { tsConfig: extractTsConfig('tsconfig.json') },
  );
  const result = output as ICruiseResult;
  const { totalCruised } = result.summary;
  if (totalCruised < modulesMin)
    throw new Error(
      `only ${totalCruised} modules were found: run this in the root of the repository`,
    );
  return result;
}
