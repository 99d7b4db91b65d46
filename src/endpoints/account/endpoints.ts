import { endpointsOf } from '../handler.ts';
import * as access from './access/access.ts';
import * as accessContracts from './access/contract.ts';
import * as keysContracts from './keys/contract.ts';
import * as madeKeys from './keys/madeKeys.ts';
import { madeKeyRules } from './keys/madeKeys.ts';
import * as revealKey from './keys/revealKey.ts';
import * as membersContracts from './members/contract.ts';
import * as members from './members/members.ts';
import * as passwordContracts from './password/contract.ts';
import * as password from './password/password.ts';
import * as passwordLinkContracts from './passwordLink/contract.ts';
import * as passwordLink from './passwordLink/passwordLink.ts';
import * as profileContracts from './profile/contract.ts';
import * as profile from './profile/profile.ts';
import * as requestsContracts from './requests/contract.ts';
import * as requests from './requests/requests.ts';
import * as secondFactorContracts from './secondFactor/contract.ts';
import * as secondFactor from './secondFactor/secondFactor.ts';
import * as sessionContracts from './session/contract.ts';
import * as session from './session/session.ts';
import * as sessionsContracts from './sessions/contract.ts';
import * as sessions from './sessions/sessions.ts';
import * as usageContracts from './usage/contract.ts';
import * as usage from './usage/usage.ts';

/** The endpoints of the account pages. */
export const endpoints = [
  ...endpointsOf(sessionContracts, session),
  ...endpointsOf(sessionsContracts, sessions),
  ...endpointsOf(passwordContracts, password),
  ...endpointsOf(passwordLinkContracts, passwordLink),
  ...endpointsOf(accessContracts, access),
  ...endpointsOf(
    keysContracts,
    { ...madeKeys, ...revealKey },
    { recordRules: { changeMadeKey: madeKeyRules, makeKey: madeKeyRules } },
  ),
  ...endpointsOf(usageContracts, usage),
  ...endpointsOf(secondFactorContracts, secondFactor),
  ...endpointsOf(requestsContracts, requests),
  ...endpointsOf(profileContracts, profile),
  ...endpointsOf(membersContracts, members),
];
