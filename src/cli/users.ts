/** `vitrine users`. */
import type { Command } from 'commander';
import * as contracts from '../endpoints/operator/users/contract.ts';
import {
  addList,
  addOperation,
  addRemoval,
  addShow,
  call,
  printJson,
  printNew,
} from './operation.ts';
import { addServiceCommand, type ServiceOptions, serviceOf, UsageError } from './service.ts';
import { recordOf, timeOf } from './table.ts';

/** Adds the commands for users. */
export function addUsers(command: Command): void {
  addList(command, {
    contract: contracts.listUsers,
    verb: 'list',
    rows: 'users',
    columns: [
      'userId',
      { field: 'email', canCut: true },
      'role',
      {
        heading: 'channels',
        show: ({ channelIds }) => (channelIds === 'all' ? 'all' : channelIds.length),
      },
      { field: 'hasPassword', heading: 'password', canDrop: true },
      { field: 'createdAt', canDrop: true },
      { field: 'organisationId', canDrop: true },
    ],
    examples: ['users list', 'users list --organisation "$ORGANISATION"'],
  });
  addShow(command, contracts.readUser, 'users show "$USER_ID"');
  addOperation(command, {
    contract: contracts.createUser,
    verb: 'create',
    hasQuiet: true,
    print: ({ userId }, options) => printNew(userId, 'User created. Their id:', options),
    examples: [
      'users create --organisation "$ORGANISATION" --email owner@acme.example --role owner',
      'users create --organisation "$ORGANISATION" --email ann@acme.example --role member --password-stdin < password.txt',
    ],
  });
  addOperation(command, {
    contract: contracts.changeUser,
    verb: 'change',
    examples: [
      'users change "$USER_ID" --role administrator',
      'users change "$USER_ID" --password-stdin < password.txt',
    ],
  });
  addGrant(command);
  addOperation(command, {
    contract: contracts.issuePasswordLink,
    verb: 'link',
    hasQuiet: true,
    print: ({ url, purpose, expiresAt }, options) =>
      printNew(
        url,
        `Send this link (${purpose}) to the user. It works once, until ${timeOf(expiresAt)}, and will not be shown again:`,
        options,
      ),
    examples: [
      'users link "$USER_ID"',
      'users link "$USER_ID" --purpose reset --valid-seconds 3600 --quiet',
    ],
  });
  addRemoval(
    command,
    contracts.endUserSessions,
    'sign-out',
    'User signed out everywhere.',
    'users sign-out "$USER_ID"',
  );
  addRemoval(
    command,
    contracts.removeUserSecondFactor,
    'remove-second-factor',
    'Second factor turned off.',
    'users remove-second-factor "$USER_ID"',
  );
  addRemoval(command, contracts.deleteUser, 'delete', 'User deleted.', 'users delete "$USER_ID"');
}

type GrantOptions = ServiceOptions & { readonly all?: true; readonly none?: true };

/** `users grant` takes channels, `--all` or `--none`, which options made from fields cannot express. */
function addGrant(users: Command): void {
  const contract = contracts.grantChannels;
  const command = users
    .command('grant')
    .description('set which channels a user may access')
    .argument('<userId>', 'id of the user')
    .argument('[channelId...]', 'the channels; they replace those granted before')
    .option('--all', 'all channels of the organisation, present and future')
    .option('--none', 'no channels');
  const examples = ['users grant "$USER_ID" acme-us', 'users grant "$USER_ID" --all'];
  addServiceCommand<GrantOptions>(
    command,
    { about: contract.description, examples },
    async (options, args) => {
      const [userId, channels] = args as [string, string[]];
      if ([channels.length > 0, options.all, options.none].filter(Boolean).length !== 1)
        throw new UsageError('name channels, or use --all or --none');
      const channelIds = options.all ? 'all' : channels;
      const answer = await call(serviceOf(options), contract, { userId, channelIds });
      if (options.json) printJson(answer);
      else console.log(recordOf(answer));
    },
  );
}
