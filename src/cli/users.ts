/** `vitrine users`. */
import type { Command } from 'commander';
import { operatorContracts as contracts } from '../endpoints/operator/contracts.ts';
import { addList, addOperation, call, helpOf, printJson, tellNew } from './operation.ts';
import { addServiceOptions, endWell, Misuse, type ServiceOptions, serviceOf } from './service.ts';
import { recordOf, timeOf } from './table.ts';

/** Adds the commands of users. */
export function addUsers(command: Command): void {
  addList(command, {
    contract: contracts.listUsers,
    verb: 'list',
    rows: 'users',
    columns: [
      'userId',
      { field: 'email', mayBeCut: true },
      'role',
      {
        heading: 'channels',
        show: ({ channelIds }) => (channelIds === 'all' ? 'all' : channelIds.length),
      },
      { field: 'hasPassword', heading: 'password', mayBeLeftOut: true },
      { field: 'createdAt', mayBeLeftOut: true },
      { field: 'organisationId', mayBeLeftOut: true },
    ],
    examples: ['users list', 'users list --organisation "$ORGANISATION"'],
  });
  addOperation(command, {
    contract: contracts.readUser,
    verb: 'show',
    examples: ['users show "$SOMEBODY"', 'users show "$SOMEBODY" --json'],
  });
  addOperation(command, {
    contract: contracts.createUser,
    verb: 'create',
    mayBeQuiet: true,
    tell: ({ userId }, options) => tellNew(userId, 'The user is made. The identifier:', options),
    examples: [
      'users create --organisation "$ORGANISATION" --email owner@acme.example --role owner',
      'users create --organisation "$ORGANISATION" --email ann@acme.example --role member --password-stdin < password.txt',
    ],
  });
  addOperation(command, {
    contract: contracts.changeUser,
    verb: 'change',
    examples: [
      'users change "$SOMEBODY" --role administrator',
      'users change "$SOMEBODY" --password-stdin < password.txt',
    ],
  });
  addGrant(command);
  addOperation(command, {
    contract: contracts.issuePasswordLink,
    verb: 'link',
    mayBeQuiet: true,
    tell: ({ url, purpose, expiresAt }, options) =>
      tellNew(
        url,
        `The link is good once, until ${timeOf(expiresAt)} (${purpose}). Send it to the user; it is shown only now:`,
        options,
      ),
    examples: [
      'users link "$SOMEBODY"',
      'users link "$SOMEBODY" --purpose reset --valid-seconds 3600 --quiet',
    ],
  });
  addOperation(command, {
    contract: contracts.endUserSessions,
    verb: 'sign-out',
    tell: () => console.error('The user is signed out everywhere.'),
    examples: ['users sign-out "$SOMEBODY"', 'users sign-out "$SOMEBODY" --yes'],
  });
  addOperation(command, {
    contract: contracts.deleteUser,
    verb: 'delete',
    tell: () => console.error('The user is deleted.'),
    examples: ['users delete "$SOMEBODY"', 'users delete "$SOMEBODY" --yes'],
  });
}

type GrantOptions = ServiceOptions & { readonly all?: true; readonly none?: true };

/** The reach is one of three things, which no list of fields says. */
function addGrant(users: Command): void {
  const contract = contracts.grantChannels;
  const command = users
    .command('grant')
    .description('say which channels a user may reach')
    .argument('<userId>', 'identifier of the user')
    .argument('[channelId...]', 'the channels, in place of what was granted before')
    .option('--all', 'all channels that the organisation has and will have')
    .option('--none', 'no channel');
  addServiceOptions(command)
    .addHelpText(
      'after',
      helpOf(contract.description, [
        'users grant "$SOMEBODY" acme-us acme-de',
        'users grant "$SOMEBODY" --all',
      ]),
    )
    .action((userId: string, channelIds: string[], options: GrantOptions) =>
      endWell(command, async () => {
        if ([channelIds.length > 0, options.all, options.none].filter(Boolean).length !== 1) {
          throw new Misuse('name channels, or --all, or --none');
        }
        const answer = await call(serviceOf(options), contract, {
          userId,
          channelIds: options.all ? 'all' : channelIds,
        });
        if (options.json) printJson(answer);
        else console.log(recordOf(answer));
        return undefined;
      }),
    );
}
