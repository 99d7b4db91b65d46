/**
 * Members are invited, changed and removed by users who may do so, never by themselves, and changes
 * take effect at once.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { onEachPair, type Tenant, testOnOnePair } from '../../../../test/harness.ts';
import { deedsOf } from '../../../../test/records.ts';
import { codeAt } from '../../../../test/secondFactor.ts';
import {
  assertRefused,
  grant,
  issueKey,
  makePerson,
  ownerOf,
  password,
  refusal,
  signIn,
  statusOf,
  type Visitor,
  visit,
} from '../../../../test/visitors.ts';

type Row = {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
  readonly channelIds: string[] | 'all';
  readonly mayChange: boolean;
};

const noMember = [404, 'there is no such member'];
const mayNot = [403, 'only owners and administrators who may use every channel may change members'];
const notYourself = [403, 'you cannot change or remove yourself: ask another owner'];
const ownersAlone = [403, 'only owners may change or remove owners'];
const newPassword = 'violet anchors hum quietly';

onEachPair('members', (world, pair) => {
  const testOnce = testOnOnePair(pair);

  /** A tenant whose owner is signed in. */
  async function organisation(): Promise<Tenant & { readonly owner: Visitor }> {
    const tenant = await world().tenant();
    return { ...tenant, owner: await ownerOf(world(), tenant) };
  }
  async function colleague(organisationId: string, role: 'owner' | 'administrator' | 'member') {
    const person = await makePerson(world(), organisationId, { role });
    return { ...person, visitor: await signIn(world(), person.email) };
  }
  const membersOf = async (visitor: Visitor): Promise<Row[]> =>
    (await visitor.get('/account/members')).members;
  const change = (by: Visitor, userId: string, body: object) =>
    by.ask('PATCH', `/account/members/${userId}`, body);
  const remove = (by: Visitor, userId: string) => by.ask('DELETE', `/account/members/${userId}`);
  const invite = (by: Visitor, body: object) =>
    by.ask('POST', '/account/members', { email: `${randomUUID()}@example.com`, ...body });
  test('are listed with role, reach, second factor and last sign-in; members see no list', async () => {
    const { organisationId, channelId, owner, userId } = await organisation();
    await world().tenant();
    const began = Math.floor(world().clock.now / 1000);
    world().clock.now += 60_000;
    const member = await colleague(organisationId, 'member');
    await grant(world(), member.userId, [channelId]);
    const { body } = await member.visitor.ask('POST', '/account/secondFactor', { password });
    const code = codeAt(body.secret, world().clock.now);
    const factor = await member.visitor.ask('PUT', '/account/secondFactor', { code });
    assert.equal(factor.status, 200);
    const answer = await owner.get('/account/members');
    const byId = new Map(answer.members.map((row: Row) => [row.userId, row]));
    const roles = ['owner', 'administrator', 'member', 'viewer'];
    assert.deepEqual([answer.total, answer.roles], [2, roles]);
    const shared = { name: null, hasPassword: true, invitedUntil: null };
    assert.deepEqual(byId.get(member.userId), {
      ...shared,
      userId: member.userId,
      email: member.email,
      role: 'member',
      channelIds: [channelId],
      hasSecondFactor: true,
      lastSignInAt: began + 60,
      isYou: false,
      mayChange: true,
    });
    const { email } = await owner.get('/account/session');
    assert.deepEqual(byId.get(userId), {
      ...shared,
      userId,
      email,
      role: 'owner',
      channelIds: 'all',
      hasSecondFactor: false,
      lastSignInAt: began,
      isYou: true,
      mayChange: false,
    });
    const page = await owner.get('/account/members?pageSize=1&pageIndex=1');
    assert.deepEqual([page.members.length, page.total], [1, 2]);
    const list = (by: Visitor) => by.ask('GET', '/account/members');
    const seen = 'only owners and administrators see the members of an organisation';
    await assertRefused(list(member.visitor), 403, seen);
    await assertRefused(list(visit(world())), 401, 'sign in first');
  });

  testOnce('an invited user chooses a password by a link, as the audit log says', async () => {
    const { organisationId, channelId, owner, userId } = await organisation();
    const email = `Ann-${randomUUID()}@Example.com`;
    const input = { email, name: ' Ann Lee ', role: 'member', channelIds: [channelId] };
    const { status, body } = await invite(owner, input);
    assert.equal(status, 200, JSON.stringify(body));
    const expiresAt = Math.floor(world().clock.now / 1000) + 7 * 86_400;
    assert.equal(body.expiresAt, expiresAt);
    const found = (await membersOf(owner)).find((row) => row.userId === body.userId);
    assert.deepEqual(found, {
      userId: body.userId,
      email: email.toLowerCase(),
      name: 'Ann Lee',
      role: 'member',
      channelIds: [channelId],
      hasPassword: false,
      invitedUntil: expiresAt,
      hasSecondFactor: false,
      lastSignInAt: null,
      isYou: false,
      mayChange: true,
    });
    const detail = { organisationId, role: 'member', channelIds: [channelId], expiresAt };
    assert.deepEqual(await deedsOf(world(), body.userId), [[userId, 'inviteMember', detail]]);
    const twice = invite(owner, { email, role: 'member' });
    await assertRefused(twice, 409, 'another user has this e-mail address');
    const renewed = await owner.ask('POST', `/account/members/${body.userId}/invitation`);
    assert.equal(renewed.status, 200);
    const use = (url: string) => {
      const body = { token: url.split('#')[1], newPassword };
      return visit(world()).ask('PUT', '/account/passwordLink', body);
    };
    assert.equal((await use(body.url)).status, 404);
    assert.equal((await use(renewed.body.url)).status, 200);
    const ann = await signIn(world(), email, { password: newPassword });
    assert.equal((await ann.get('/account/session')).name, 'Ann Lee');
    const again = owner.ask('POST', `/account/members/${body.userId}/invitation`);
    const chosen =
      'this member has chosen a password already: only the operator of the service resets it';
    await assertRefused(again, 409, chosen);
  });

  test('roles and channels are changed, and hold at once', async () => {
    const { organisationId, channelId, owner, userId } = await organisation();
    const other = await world().channel(organisationId, `${channelId}-2`);
    const member = await colleague(organisationId, 'member');
    const administrator = (await colleague(organisationId, 'administrator')).userId;
    const key = await issueKey(world(), administrator);
    const callsBy = async () => (await world().ask(key, 'POST', '/channels', {})).status;
    const named = async (): Promise<string[]> => {
      const { body } = await member.visitor.ask('POST', '/account/data/channels', {});
      return body.map((row: { channelId: string }) => row.channelId).sort();
    };
    assert.deepEqual(await named(), []);
    const granted = await change(owner, member.userId, { channelIds: [other] });
    assert.deepEqual([granted.status, granted.body.channelIds], [200, [other]]);
    assert.deepEqual(await named(), [other]);
    const raised = await change(owner, member.userId, { role: 'administrator' });
    assert.deepEqual([raised.body.role, raised.body.channelIds], ['administrator', 'all']);
    assert.deepEqual(await named(), [channelId, other].sort());
    assert.deepEqual((await deedsOf(world(), member.userId)).slice(0, 2), [
      [userId, 'changeMember', { role: 'administrator' }],
      [userId, 'changeMember', { channelIds: [other] }],
    ]);
    // A key that this node has cached stops working with the role of its user.
    assert.equal(await callsBy(), 200);
    await change(owner, administrator, { role: 'member' });
    assert.equal(await callsBy(), 401);
    const channelIds = [(await world().tenant()).channelId];
    const notOwn = [400, "channelIds[0] must be a channel of the user's organisation"];
    assert.deepEqual(await refusal(change(owner, member.userId, { channelIds })), notOwn);
  });

  testOnce('a removed member is out at once: sessions end and keys stop', async () => {
    const { organisationId, owner, userId } = await organisation();
    const administrator = await colleague(organisationId, 'administrator');
    const second = await signIn(world(), administrator.email);
    const key = await issueKey(world(), administrator.userId);
    assert.equal((await world().ask(key, 'POST', '/channels', {})).status, 200);
    assert.equal((await remove(owner, administrator.userId)).status, 200);
    assert.deepEqual([await statusOf(administrator.visitor), await statusOf(second)], [401, 401]);
    assert.equal((await world().ask(key, 'POST', '/channels', {})).status, 403);
    assert.deepEqual((await deedsOf(world(), administrator.userId))[0], [
      ...[userId, 'removeMember', { organisationId, keys: 1 }],
    ]);
    assert.deepEqual(await refusal(remove(owner, administrator.userId)), noMember);
  });

  testOnce('nobody raises or removes themselves, and owners are for owners to change', async () => {
    const { organisationId, owner, userId } = await organisation();
    const administrator = await colleague(organisationId, 'administrator');
    const member = await colleague(organisationId, 'member');
    const by = administrator.visitor;
    for (const body of [{ role: 'owner' }, { role: 'member' }, { channelIds: 'all' }]) {
      assert.deepEqual(await refusal(change(by, administrator.userId, body)), notYourself);
      assert.deepEqual(await refusal(change(owner, userId, body)), notYourself);
      assert.deepEqual(await refusal(change(by, userId, body)), ownersAlone);
      assert.deepEqual(await refusal(change(member.visitor, member.userId, body)), mayNot);
    }
    // Nobody removes or demotes the last owner, not even this owner.
    assert.deepEqual(await refusal(remove(owner, userId)), notYourself);
    assert.deepEqual(await refusal(remove(by, userId)), ownersAlone);
    assert.deepEqual(await refusal(remove(member.visitor, administrator.userId)), mayNot);
    assert.deepEqual(await refusal(invite(member.visitor, { role: 'member' })), mayNot);
    const noOwner = [403, 'only owners may make somebody an owner'];
    assert.deepEqual(await refusal(invite(by, { role: 'owner' })), noOwner);
    assert.deepEqual(await refusal(change(by, member.userId, { role: 'owner' })), noOwner);
    const { body } = await invite(owner, { role: 'owner' });
    const renewing = by.ask('POST', `/account/members/${body.userId}/invitation`);
    assert.deepEqual(await refusal(renewing), ownersAlone);
    const roles = new Map((await membersOf(by)).map((row) => [row.userId, row]));
    const ids = [userId, administrator.userId, member.userId];
    const mayChange = ids.map((id) => roles.get(id)!.mayChange);
    assert.deepEqual(mayChange, [false, false, true]);
    const given = ['administrator', 'member', 'viewer'];
    assert.deepEqual((await by.get('/account/members')).roles, given);
  });

  test('of two owners who demote or remove each other at one moment one stays', async () => {
    const demote = (by: Visitor, userId: string) => change(by, userId, { role: 'member' });
    for (const act of [demote, remove]) {
      const { organisationId, owner, userId } = await organisation();
      const second = await colleague(organisationId, 'owner');
      const answers = await Promise.all([act(owner, second.userId), act(second.visitor, userId)]);
      assert.equal(Math.min(...answers.map(({ status }) => status)), 200);
      const path = `/operator/users?organisationId=${organisationId}`;
      const { users } = await world().operate('GET', path);
      assert.equal(users.filter(({ role }: Row) => role === 'owner').length, 1);
    }
  });

  testOnce('an administrator with restricted channels changes nobody, and sees them', async () => {
    const { organisationId, channelId, owner } = await organisation();
    const other = await world().channel(organisationId, `${channelId}-2`);
    const administrator = await colleague(organisationId, 'administrator');
    const member = await colleague(organisationId, 'member');
    await change(owner, administrator.userId, { channelIds: [channelId] });
    await change(owner, member.userId, { channelIds: [channelId, other] });
    const rows = await membersOf(administrator.visitor);
    const found = rows.find((row) => row.userId === member.userId)!;
    assert.deepEqual([found.channelIds, found.mayChange], [[channelId], false]);
    const changing = change(administrator.visitor, member.userId, { channelIds: 'all' });
    assert.deepEqual(await refusal(changing), mayNot);
    assert.deepEqual(await refusal(invite(administrator.visitor, { role: 'member' })), mayNot);
  });

  testOnce('users of other organisations are unknown, and stay as they are', async () => {
    const [{ owner }, other] = [await organisation(), await organisation()];
    const stranger = await colleague(other.organisationId, 'member');
    for (const userId of [stranger.userId, other.userId, 'nobody']) {
      assert.deepEqual(await refusal(change(owner, userId, { role: 'administrator' })), noMember);
      assert.deepEqual(await refusal(remove(owner, userId)), noMember);
      const renewing = owner.ask('POST', `/account/members/${userId}/invitation`);
      assert.deepEqual(await refusal(renewing), noMember);
    }
    assert.equal(await statusOf(stranger.visitor), 200);
    const ids = (await membersOf(owner)).map(({ userId }) => userId);
    assert.ok(!ids.includes(stranger.userId) && !ids.includes(other.userId));
  });

  testOnce('a change needs a password entered lately, and a page of this site', async () => {
    const { organisationId, owner } = await organisation();
    const member = await colleague(organisationId, 'member');
    world().clock.now += 15 * 60_000;
    const again = [403, 'enter your password again to change members'];
    const { body } = await remove(owner, member.userId);
    assert.deepEqual([body.error, body.passwordRequired], [again[1], true]);
    assert.deepEqual(await refusal(change(owner, member.userId, { role: 'owner' })), again);
    assert.deepEqual(await refusal(invite(owner, { role: 'member' })), again);
    assert.equal((await membersOf(owner)).length, 2);
    await owner.ask('POST', '/account/session/confirmation', { password });
    const path = `/account/members/${member.userId}`;
    const headers = { 'sec-fetch-site': 'cross-site' };
    assert.equal((await owner.ask('DELETE', path, undefined, headers)).status, 403);
    assert.equal((await remove(owner, member.userId)).status, 200);
  });

  testOnce('429: a user invites thirty times in a quarter of an hour', async () => {
    const { owner } = await organisation();
    const statuses: number[] = [];
    // Refused invitations count, too: otherwise, addresses of other organisations could be guessed.
    for (let time = 0; time < 31; time += 1)
      statuses.push((await invite(owner, { role: 'member', channelIds: ['none'] })).status);
    assert.deepEqual(statuses, [...Array(30).fill(400), 429]);
  });
});

onEachPair('the own profile', (world) => {
  test('is read, and its name changed and removed, by its user alone', async () => {
    const tenant = await world().tenant({ organisation: { name: 'Northwind' } });
    await world().channel(tenant.organisationId, `${tenant.channelId}-2`);
    const person = await makePerson(world(), tenant.organisationId, { role: 'member' });
    await grant(world(), person.userId, [tenant.channelId]);
    const visitor = await signIn(world(), person.email);
    const now = Math.floor(world().clock.now / 1000);
    const expected = {
      ...person,
      name: null,
      role: 'member',
      organisation: 'Northwind',
      isRestricted: true,
      channels: 1,
      lastSignInAt: now,
      createdAt: now,
    };
    assert.deepEqual(await visitor.get('/account/profile'), expected);
    const change = (name: unknown) => visitor.ask('PATCH', '/account/profile', { name });
    const { status, body } = await change('  Zoë Ó Briain ');
    assert.deepEqual([status, body], [200, { ...expected, name: 'Zoë Ó Briain' }]);
    assert.equal((await visitor.get('/account/session')).name, 'Zoë Ó Briain');
    const tooLong = 'name must have at most 100 characters';
    await assertRefused(change('x'.repeat(101)), 400, tooLong);
    assert.equal((await change('  ')).body.name, null);
    const raising = visitor.ask('PATCH', '/account/profile', { role: 'owner' });
    assert.deepEqual(await refusal(raising), [400, 'name is required']);
    assert.equal((await visitor.get('/account/profile')).role, 'member');
    const [last] = await deedsOf(world(), person.userId);
    assert.deepEqual(last, [person.userId, 'changeProfile', { name: 'changed' }]);
    assert.equal((await visit(world()).ask('GET', '/account/profile')).status, 401);
  });
});
