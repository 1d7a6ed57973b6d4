--- The proof of a daemon over loopback: an HMAC-SHA256. Neovim's own sha256() takes no NUL bytes, which an HMAC is full of.

local bit = require("bit")

local M = {}

local ROUNDS, START = {}, {}
do
  local number = 2
  while #ROUNDS < 64 do
    local prime = true
    for factor = 2, math.floor(math.sqrt(number)) do
      prime = prime and number % factor ~= 0
    end
    if prime then -- SHA-256 starts with the fractions of the roots of primes
      ROUNDS[#ROUNDS + 1] = bit.tobit(math.floor(number ^ (1 / 3) % 1 * 2 ^ 32))
      START[#START + 1] = #START < 8 and bit.tobit(math.floor(math.sqrt(number) % 1 * 2 ^ 32)) or nil
    end
    number = number + 1
  end
end

local function word(number)
  return string.char(bit.band(bit.rshift(number, 24), 255), bit.band(bit.rshift(number, 16), 255), bit.band(bit.rshift(number, 8), 255),
    bit.band(number, 255))
end

local function block(state, data, at)
  local w, ror, bxor, band = {}, bit.ror, bit.bxor, bit.band
  for i = 1, 16 do
    local a, b, c, d = data:byte(at + i * 4 - 4, at + i * 4 - 1)
    w[i] = bit.bor(bit.lshift(a, 24), bit.lshift(b, 16), bit.lshift(c, 8), d)
  end
  for i = 17, 64 do
    local x, y = w[i - 15], w[i - 2]
    w[i] = bit.tobit(w[i - 16] + w[i - 7] + bxor(ror(x, 7), ror(x, 18), bit.rshift(x, 3)) + bxor(ror(y, 17), ror(y, 19), bit.rshift(y, 10)))
  end
  local a, b, c, d, e, f, g, h = unpack(state)
  for i = 1, 64 do
    local one = h + bxor(ror(e, 6), ror(e, 11), ror(e, 25)) + bxor(band(e, f), band(bit.bnot(e), g)) + ROUNDS[i] + w[i]
    local two = bxor(ror(a, 2), ror(a, 13), ror(a, 22)) + bxor(band(a, b), band(a, c), band(b, c))
    a, b, c, d, e, f, g, h = bit.tobit(one + two), a, b, c, bit.tobit(d + one), e, f, g
  end
  for i, value in ipairs({ a, b, c, d, e, f, g, h }) do
    state[i] = bit.tobit(state[i] + value)
  end
end

--- SHA-256 as 32 bytes.
local function sha256(text)
  local state = { unpack(START) }
  local data = text .. "\128" .. ("\0"):rep((55 - #text) % 64) .. word(math.floor(#text / 2 ^ 29)) .. word(#text * 8)
  for at = 1, #data, 64 do
    block(state, data, at)
  end
  return table.concat(vim.tbl_map(word, state))
end

--- What only somebody who knows the token can answer to a challenge: an HMAC, in hex.
function M.of(token, challenge)
  local key = #token > 64 and sha256(token) or token
  key = key .. ("\0"):rep(64 - #key)
  local function masked(mask)
    return (key:gsub(".", function(char)
      return string.char(bit.bxor(char:byte(), mask))
    end))
  end
  return vim.text.hexencode(sha256(masked(92) .. sha256(masked(54) .. "deepseedian proof " .. challenge))):lower()
end

return M
