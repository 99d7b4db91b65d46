type Shared = {
  readonly folder: string;
  readonly assets: { readonly base: string; readonly theme: string; readonly icon: string };
};

export function buildGuides(shared: Shared): Promise<void>;
export function buildReference(shared: Shared): Promise<void>;
