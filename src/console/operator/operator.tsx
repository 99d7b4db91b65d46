/** The page of operators: what to repair, imports, jobs, channels, organisations, users, keys, audit. */
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { enterBy } from '../client.ts';
import { useAddress } from '../view/address.ts';
import { AccessContext } from './access.tsx';
import { Attention } from './attention.tsx';
import { Audit } from './audit.tsx';
import { Channels } from './channels.tsx';
import { OperatorFrame } from './frame.tsx';
import { Imports } from './imports.tsx';
import { Jobs } from './jobs.tsx';
import { Keys } from './keys.tsx';
import { Organisations } from './organisations.tsx';
import { type SectionId, sectionOf } from './sections.ts';
import { TokenForm } from './tokenForm.tsx';
import { useUploads } from './uploads.ts';
import { Users } from './users.tsx';

const contents: Readonly<Record<SectionId, () => preact.JSX.Element>> = {
  attention: Attention,
  imports: Imports,
  jobs: Jobs,
  channels: Channels,
  organisations: Organisations,
  users: Users,
  keys: Keys,
  audit: Audit,
};

/** Asks for the token of an operator, then shows the section of the address. */
export function OperatorConsole() {
  const [isIn, setIn] = useState(false);
  const [reason, setReason] = useState<string>();
  const { params } = useAddress();
  const uploads = useUploads();
  const leave = useCallback((why?: string) => {
    enterBy('operator');
    setIn(false);
    setReason(why);
  }, []);
  useEffect(() => leave, [leave]);
  const access = useMemo(() => ({ leave: () => leave(), uploads }), [leave, uploads]);
  if (!isIn) {
    const entered = (token: string) => {
      enterBy('operator', { token, closed: leave });
      setIn(true);
    };
    return <TokenForm reason={reason} entered={entered} />;
  }
  const section = sectionOf(params);
  const Content = contents[section.id];
  return (
    <AccessContext.Provider value={access}>
      <OperatorFrame section={section}>
        <Content key={section.id} />
      </OperatorFrame>
    </AccessContext.Provider>
  );
}
