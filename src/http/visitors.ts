/** The browser behind a request, and the cookie in which it holds its session token. */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { browserOf } from '../access/browserName.ts';
import type { Visitor } from '../access/sessions.ts';

/** A browser that has not signed in for this long is a strange one again. */
const deviceDays = 365;
const secondsPerDay = 86_400;

/** Reads visitors; the server must have the cookie plugin. */
export function createVisitors(
  publicUrl: string,
  sessionDays: number,
): (request: FastifyRequest, reply: FastifyReply) => Visitor {
  const isSecure = publicUrl.startsWith('https:');
  // Browsers accept a cookie with this prefix only from this very host over an encrypted
  // connection.
  const name = isSecure ? '__Host-vitrine' : 'vitrine-session';
  const deviceName = isSecure ? '__Host-vitrine-device' : 'vitrine-device';
  const options: CookieSerializeOptions = {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
  };
  return (request, reply) => ({
    address: request.ip,
    browser: browserOf(request.headers['user-agent']),
    token: request.cookies[name],
    device: request.cookies[deviceName],
    keepDevice: (token) =>
      void reply.setCookie(deviceName, token, { ...options, maxAge: deviceDays * secondsPerDay }),
    keep: (token) =>
      void reply.setCookie(name, token, { ...options, maxAge: sessionDays * secondsPerDay }),
    drop: () => void reply.clearCookie(name, options),
  });
}
