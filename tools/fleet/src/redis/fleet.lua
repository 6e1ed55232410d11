#!lua name=effigy_fleet_1
-- The work list of a campaign, each function one step: Redis runs one at a time.
--
-- Knows: the keys below, which all have the campaign's name in braces, so that they are in one slot of a cluster.
-- Everything is checked before the first write: a function that fails half way is not undone.
-- The rules are those of `local.rs`; the same tests hold both to them.

-- hash: build, bits | sorted set: id -> score | sorted set: id -> deadline in ms
local META, TODO, LEASED = 1, 2, 3
-- hash: id -> payload, while there is work | hash: id -> payload, of what has covered something
local ITEM, CORPUS = 4, 5
-- hash: id -> score and id -> leases, while there is work
local SCORE, LEASES = 6, 7
-- set: ids ever pushed | string: a bit each | list: news | hash: key -> payload | set: ids | hash: counts
local SEEN, COVERED, NEWS, FOUND, GIVEN_UP, STAT = 8, 9, 10, 11, 12, 13

local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function whole(text, most)
  local number = tonumber(text)
  if not number or number < 0 or number > most or number ~= math.floor(number) then return nil end
  return number
end

local function count(keys, name, by)
  if by > 0 then redis.call('HINCRBY', keys[STAT], name, by) end
end

-- What is wrong with packed bits, or nil.
local function wrong_bits(keys, packed)
  if #packed % 4 ~= 0 then return 'MALFORMED coverage of no whole words' end
  local bits = tonumber(redis.call('HGET', keys[META], 'bits') or 0)
  for at = 1, #packed, 4 do
    if struct.unpack('<I4', packed, at) >= bits then return 'MALFORMED coverage that the program does not have' end
  end
end

local function cover(keys, packed)
  local new = 0
  for at = 1, #packed, 4 do
    if redis.call('SETBIT', keys[COVERED], struct.unpack('<I4', packed, at), 1) == 0 then new = new + 1 end
  end
  count(keys, 'covered', new)
  return new
end

-- A report: the number of items, of each its id, score, payload, bits; the number of finds, of each its key and payload;
-- bits. What is wrong with it, or nil.
local function wrong_report(keys, args, at)
  local items = whole(args[at], 1024)
  if not items then return 'MALFORMED number of items' end
  at = at + 1
  for _ = 1, items do
    if not args[at + 3] or #args[at] ~= 32 or not whole(args[at + 1], 4294967295) then return 'MALFORMED item' end
    if #args[at + 2] > 1048576 + 258 then return 'MALFORMED size of an item' end
    local wrong = wrong_bits(keys, args[at + 3])
    if wrong then return wrong end
    at = at + 4
  end
  local finds = whole(args[at] or '', 64)
  if not finds or #args ~= at + 2 * finds + 1 then return 'MALFORMED finds' end
  for it = 1, finds do
    if #args[at + 2 * it - 1] > 128 or #args[at + 2 * it] > 1048576 + 258 then return 'MALFORMED size of a find' end
  end
  return wrong_bits(keys, args[#args])
end

local function take(keys, args, at)
  local items, new_items, new_bits, new_finds = tonumber(args[at]), 0, 0, 0
  at = at + 1
  for _ = 1, items do
    local id, score, payload, packed = args[at], tonumber(args[at + 1]), args[at + 2], args[at + 3]
    at = at + 4
    local brought = cover(keys, packed)
    new_bits = new_bits + brought
    if brought > 0 then
      redis.call('HSETNX', keys[CORPUS], id, payload)
      redis.call('RPUSH', keys[NEWS], 'i' .. id .. packed)
    end
    if redis.call('SADD', keys[SEEN], id) == 1 then
      new_items = new_items + 1
      if brought == 0 then redis.call('HSET', keys[ITEM], id, payload) end
      redis.call('HSET', keys[SCORE], id, score + brought)
      redis.call('ZADD', keys[TODO], score + brought, id)
    end
  end
  local finds = tonumber(args[at])
  for it = 1, finds do
    local key, payload = args[at + 2 * it - 1], args[at + 2 * it]
    if redis.call('HSETNX', keys[FOUND], key, payload) == 1 then
      new_finds = new_finds + 1
      redis.call('RPUSH', keys[NEWS], 'f' .. key)
    end
  end
  new_bits = new_bits + cover(keys, args[#args])
  return new_items, new_bits, new_finds
end

local function is_held(keys, id, lease)
  return redis.call('ZSCORE', keys[LEASED], id) and redis.call('HGET', keys[LEASES], id) == lease
end

-- build, bits
local function open(keys, args)
  local bits = whole(args[2], 16777216)
  if not bits then return redis.error_reply('MALFORMED number of bits') end
  local build = redis.call('HGET', keys[META], 'build')
  if build then
    if build == args[1] and tonumber(redis.call('HGET', keys[META], 'bits')) == bits then return redis.status_reply('OK') end
    return redis.error_reply('BUILD the campaign is of build ' .. build)
  end
  redis.call('HSET', keys[META], 'build', args[1], 'bits', bits)
  return redis.status_reply('OK')
end

-- a report
local function push(keys, args)
  local wrong = wrong_report(keys, args, 1)
  if wrong then return redis.error_reply(wrong) end
  return { take(keys, args, 1) }
end

-- how many, milliseconds, leases of one item at most
local function lease(keys, args)
  local most, time, tries = whole(args[1], 1024), whole(args[2], 1e12), whole(args[3], 1e6)
  if not (most and time and tries) then return redis.error_reply('MALFORMED lease') end
  local at = now()
  -- A thousand at a time: no step is long.
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', keys[LEASED], '-inf', at, 'LIMIT', 0, 1000)) do
    redis.call('ZREM', keys[LEASED], id)
    count(keys, 'expired', 1)
    local score = redis.call('HGET', keys[SCORE], id)
    if score then
      if tonumber(redis.call('HGET', keys[LEASES], id) or 0) >= tries then
        redis.call('SADD', keys[GIVEN_UP], id)
      else
        redis.call('ZADD', keys[TODO], score, id)
      end
    end
  end
  local res = {}
  local taken = most > 0 and redis.call('ZPOPMAX', keys[TODO], most) or {}
  for it = 1, #taken, 2 do
    local id = taken[it]
    local number = redis.call('HINCRBY', keys[LEASES], id, 1)
    redis.call('ZADD', keys[LEASED], at + time, id)
    res[#res + 1] = id
    res[#res + 1] = number
    res[#res + 1] = redis.call('HGET', keys[ITEM], id) or redis.call('HGET', keys[CORPUS], id) or ''
  end
  return res
end

-- milliseconds, then of each its id and the number of its lease
local function renew(keys, args)
  local time = whole(args[1], 1e12)
  if not time or #args % 2 ~= 1 then return redis.error_reply('MALFORMED renewal') end
  local deadline, res = now() + time, {}
  for it = 2, #args, 2 do
    local held = is_held(keys, args[it], args[it + 1])
    if held then redis.call('ZADD', keys[LEASED], deadline, args[it]) end
    res[#res + 1] = held and 1 or 0
  end
  return res
end

-- bits
local function cover_only(keys, args)
  local wrong = wrong_bits(keys, args[1])
  if wrong then return redis.error_reply(wrong) end
  return cover(keys, args[1])
end

-- id, the number of the lease, a report
local function finish(keys, args)
  local id, wrong = args[1], wrong_report(keys, args, 3)
  if wrong then return redis.error_reply(wrong) end
  local items, bits, finds = take(keys, args, 3)
  local held = is_held(keys, id, args[2]) and 1 or 0
  if redis.call('HDEL', keys[SCORE], id) == 1 then
    redis.call('ZREM', keys[LEASED], id)
    redis.call('ZREM', keys[TODO], id)
    redis.call('SREM', keys[GIVEN_UP], id)
    redis.call('HDEL', keys[ITEM], id)
    redis.call('HDEL', keys[LEASES], id)
    count(keys, 'done', 1)
  end
  return { held, items, bits, finds }
end

-- a place in the list, how many
local function news(keys, args)
  local since, most = whole(args[1], 1e12), whole(args[2], 1024)
  if not (since and most) then return redis.error_reply('MALFORMED place in the news') end
  local res = {}
  if most == 0 then return res end
  for _, entry in ipairs(redis.call('LRANGE', keys[NEWS], since, since + most - 1)) do
    res[#res + 1] = entry
    if string.sub(entry, 1, 1) == 'i' then
      res[#res + 1] = redis.call('HGET', keys[CORPUS], string.sub(entry, 2, 33)) or ''
    else
      res[#res + 1] = redis.call('HGET', keys[FOUND], string.sub(entry, 2)) or ''
    end
  end
  return res
end

local function status(keys)
  local stat = redis.call('HMGET', keys[STAT], 'done', 'expired', 'covered')
  return {
    redis.call('ZCARD', keys[TODO]), redis.call('ZCARD', keys[LEASED]), tonumber(stat[1] or 0),
    redis.call('SCARD', keys[GIVEN_UP]), tonumber(stat[2] or 0), tonumber(stat[3] or 0), redis.call('HLEN', keys[FOUND]),
  }
end

redis.register_function('effigy1_open', open)
redis.register_function('effigy1_push', push)
redis.register_function('effigy1_lease', lease)
redis.register_function('effigy1_renew', renew)
redis.register_function('effigy1_cover', cover_only)
redis.register_function('effigy1_finish', finish)
redis.register_function{function_name = 'effigy1_news', callback = news, flags = {'no-writes'}}
redis.register_function{function_name = 'effigy1_status', callback = status, flags = {'no-writes'}}
