--- Speaking to the daemon of one vault: its endpoint file, HTTP/1.1 over its Unix socket, server-sent events.
---
--- A request is one coroutine that waits for its connection. Every wait has an end; however a request ends, its handles are
--- closed and `done` is called exactly once, on the main loop. Where there is no Unix socket the daemon listens on loopback.
--- Any program can listen on a port that a killed daemon left, so there it proves that it knows the token first.

local proof = require("deepseedian.proof")
local uv = vim.uv

local M = {}

--- Milliseconds, and bytes. The daemon says every 15 s of a long answer that it is still there.
M.limits = { connect = 2000, answer = 70000, silence = 60000, grace = 500, head = 65536, most = 16 * 1024 * 1024 }

local function failure(code, message, hint)
  return { code = code, message = message, hint = hint or "" }
end

local function away(message)
  return failure("daemon_away", message or "no daemon is listening", "deepseedian start")
end

local function lost(why)
  return failure("lost_answer", "the connection to the daemon broke: " .. why)
end

-- Finding the daemon

--- The folder of endpoint files, by the same rule as in every other client; `named` is for where the environment names none.
local function runtime_folder(named)
  local given = vim.trim(vim.env.DEEPSEEDIAN_RUNTIME_DIR or "")
  given = given ~= "" and given or vim.trim(named or "")
  local home = uv.os_homedir()
  if given ~= "" then
    return (given:gsub("^~%f[/%z]", (home:gsub("%%", "%%%%"))))
  end
  if vim.fn.has("win32") == 1 then
    return (vim.env.LOCALAPPDATA or home .. "/AppData/Local") .. "/deepseedian/run"
  end
  return home .. "/.local/state/deepseedian/run"
end

local function read_file(path)
  local file = io.open(path, "rb")
  local text = file and file:read(M.limits.head)
  if file then
    file:close()
  end
  return text
end

local function is_endpoint(body)
  local function all(kind, ...)
    return vim.iter({ ... }):all(function(name)
      return type(body[name]) == kind
    end)
  end
  return type(body) == "table" and all("string", "vault", "socket", "token") and all("number", "pid", "port")
end

--- Two names of one folder, as on file systems that do not tell case apart.
local function same(one, other)
  local first, second = uv.fs_stat(one), uv.fs_stat(other)
  return first and second and first.ino ~= 0 and first.ino == second.ino and first.dev == second.dev
end

--- The running daemon of the vault at this path as its file describes it; nil when no file names it.
function M.endpoint_of(vault, runtime)
  local folder, names = runtime_folder(runtime), {}
  local real = uv.fs_realpath(vault) or vault
  for name in vim.fs.dir(folder) do
    if name:match("%.json$") then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local good, body = pcall(vim.json.decode, read_file(folder .. "/" .. name) or "")
    if good and is_endpoint(body) and (body.vault == real or same(body.vault, real)) then
      return body
    end
  end
end

-- One connection, seen from its coroutine

local Connection = {}
Connection.__index = Connection

--- The next bytes. Throws when none come in time or none will come.
function Connection:more()
  local kind, value = self.wait(self.limit)
  if kind == "data" then
    self.rest = self.rest .. value
  elseif kind == "silent" then
    error(failure("busy", "the daemon is running but does not answer", "wait, or stop it: deepseedian stop"), 0)
  else
    error(lost(value or "it ended"), 0)
  end
end

function Connection:line()
  while true do
    local at = self.rest:find("\n", 1, true)
    if at then
      local found = self.rest:sub(1, at - 1):gsub("\r$", "")
      self.rest = self.rest:sub(at + 1)
      return found
    end
    if #self.rest > M.limits.head then
      error(lost("a line is too long"), 0)
    end
    self:more()
  end
end

function Connection:head()
  local status, headers = tonumber(self:line():match("^HTTP/1%.%d (%d%d%d)")), {}
  if not status then
    error(lost("that is no HTTP"), 0)
  end
  for _ = 1, 200 do
    local line = self:line()
    if line == "" then
      return status, headers
    end
    local name, value = line:match("^([^:]+):%s*(.-)%s*$")
    headers[(name or ""):lower()] = value
  end
  error(lost("too many headers"), 0)
end

--- Give `size` bytes in pieces as they come.
function Connection:pass(size, give)
  while size > 0 do
    if self.rest == "" then
      self:more()
    end
    local piece = self.rest:sub(1, size)
    self.rest = self.rest:sub(size + 1)
    size = size - #piece
    give(piece)
  end
end

--- Give an answer's body in pieces, however it is framed.
function Connection:body(headers, give)
  if (headers["transfer-encoding"] or ""):lower() ~= "chunked" then
    local size = tonumber((headers["content-length"] or ""):match("^%d+$"))
    return self:pass(size or error(lost("an answer without an end"), 0), give)
  end
  while true do
    local size = tonumber(self:line():match("^%x+") or "", 16)
    if not size or size > M.limits.most then
      error(lost("a chunk of no size"), 0)
    end
    self:pass(size, give)
    local after = self:line()
    if size == 0 then
      return
    elseif after ~= "" then
      error(lost("a chunk without an end"), 0)
    end
  end
end

function Connection:whole(headers)
  local pieces, size = {}, 0
  self:body(headers, function(piece)
    pieces[#pieces + 1], size = piece, size + #piece
    if size > M.limits.most then
      error(lost("the answer is too long"), 0)
    end
  end)
  return table.concat(pieces)
end

function Connection:send(method, path, headers, body)
  local lines = { ("%s %s HTTP/1.1"):format(method, path), "Host: " .. self.host }
  for name, value in pairs(headers) do
    lines[#lines + 1] = name .. ": " .. value
  end
  if body then
    vim.list_extend(lines, { "Content-Type: application/json", "Content-Length: " .. #body })
  end
  self.handle:write(table.concat(lines, "\r\n") .. "\r\n\r\n" .. (body or ""))
end

function Connection:demand_proof(token)
  local challenge = vim.text.hexencode(uv.random(16))
  self:send("GET", "/v1/health", { ["Deepseedian-Challenge"] = challenge })
  self.proving = true
  local _, headers = self:head()
  self:whole(headers)
  if headers["deepseedian-proof"] ~= proof.of(token, challenge) then
    error(lost("the proof is wrong"), 0)
  end
  self.proving = false
end

-- What is in an answer

--- JSON with null as nil. Half a character, which Python writes as an escape, becomes a replacement sign.
local function decoded(text)
  local plain = { luanil = { object = true, array = true } }
  local good, found = pcall(vim.json.decode, text, plain)
  if not good then
    good, found = pcall(vim.json.decode, (text:gsub("\\u[dD][89a-fA-F]%x%x", "\\ufffd")), plain)
  end
  return good and type(found) == "table" and found or nil
end

local function refused(status, text)
  local found = (decoded(text) or {}).error or {}
  local told = failure(tostring(found.code or "internal"), tostring(found.message or ("the daemon answered " .. status)), tostring(found.hint or ""))
  told.status = status
  return told
end

--- Takes a stream in pieces cut anywhere, gives each event as soon as it is whole.
local function events(give)
  local held, size, kind, data = {}, 0, "message", {}
  local function line(text)
    local name, value = text:match("^([^:]+): ?(.*)$")
    if name == "event" then
      kind = value
    elseif name == "data" then
      data[#data + 1] = value
    elseif text == "" then
      local document = #data > 0 and decoded(table.concat(data, "\n"))
      local which = kind
      kind, data = "message", {}
      if document then
        give(which, document)
      end
    end
  end
  return function(piece)
    local from, at = 1, piece:find("\n", 1, true)
    while at do
      held[#held + 1] = piece:sub(from, at - 1)
      local text = table.concat(held):gsub("\r$", "")
      held, size = {}, 0
      line(text)
      from, at = at + 1, piece:find("\n", at + 1, true)
    end
    held[#held + 1], size = piece:sub(from), size + #piece - from + 1
    if size > M.limits.most then
      error(lost("an event is too long"), 0)
    end
  end
end

-- Requests

local function exchange(connection, endpoint, spec)
  local headers = { Connection = "close", ["Idempotency-Key"] = spec.key }
  connection.limit = M.limits.connect
  local kind = connection.wait(connection.limit)
  if kind ~= "connected" then
    error(kind == "silent" and failure("busy", "the daemon does not accept connections", "wait, or stop it: deepseedian stop") or away(), 0)
  end
  if endpoint.socket == "" then
    connection:demand_proof(endpoint.token)
    headers.Authorization = "Bearer " .. endpoint.token
  end
  connection.limit = spec.limit or (spec.on_event and M.limits.silence) or M.limits.answer
  connection:send(spec.method, spec.path, headers, spec.body and vim.json.encode(spec.body))
  local status, found = connection:head()
  if status < 300 and spec.on_event then
    return connection:body(found, events(spec.on_event))
  end
  local text = connection:whole(found)
  if status >= 300 then
    error(refused(status, text), 0)
  end
  return decoded(text) or error(failure("internal", "the daemon answered with something else than JSON"), 0)
end

--- Carry out a request; `done(error)` or `done(nil, document)` tells its end. The function that is returned ends it early.
---
--- `spec`: vault, method, path, body, key (idempotency), limit (ms without a byte), runtime; with on_event(kind, data) the
--- answer is a stream of events. An error is {code, message, hint, status}.
function M.request(spec, done)
  local endpoint = M.endpoint_of(spec.vault, spec.runtime)
  if not endpoint then
    vim.schedule(function()
      done(away())
    end)
    return function() end
  end
  local handle = endpoint.socket ~= "" and uv.new_pipe(false) or uv.new_tcp()
  local timer, turn, ended = uv.new_timer(), 0, false
  local connection = setmetatable({ handle = handle, rest = "", host = endpoint.socket ~= "" and "deepseedian" or "127.0.0.1:" .. endpoint.port },
    Connection)
  local routine = coroutine.create(function()
    return exchange(connection, endpoint, spec)
  end)

  local function finish(problem, document)
    if ended then
      return
    end
    ended = true
    timer:close()
    handle:close()
    if problem and type(problem) ~= "table" then
      problem = failure("internal", "the Neovim client failed: " .. problem)
    elseif problem and connection.proving and problem.code == "lost_answer" then
      problem = away("another program listens on the daemon's port")
    end
    done(problem, document)
  end

  local function resume(...)
    if ended then
      return
    end
    turn = turn + 1
    timer:stop()
    local good, found = coroutine.resume(routine, ...)
    if not good or coroutine.status(routine) == "dead" then
      finish(not good and found or nil, found)
    end
  end

  local wake = vim.schedule_wrap(resume)

  --- A Neovim that was stopped for a while hears of its timer before it hears of what came meanwhile: it looks once more.
  local function watch(limit, after)
    local mine = turn
    timer:start(limit, 0, vim.schedule_wrap(function()
      if not ended and turn == mine then
        after()
      end
    end))
  end

  function connection.wait(limit)
    watch(limit, function()
      watch(M.limits.grace, function()
        resume("silent")
      end)
    end)
    return coroutine.yield()
  end

  local function connected(problem)
    if problem then
      return wake("refused", problem)
    end
    handle:read_start(function(broken, data)
      wake(data and "data" or "ended", data or broken)
    end)
    wake("connected")
  end

  resume()
  local started
  if endpoint.socket ~= "" then
    started = handle:connect(endpoint.socket, connected)
  else
    started = handle:connect("127.0.0.1", endpoint.port, connected)
  end
  if not started then
    wake("refused")
  end
  return function()
    finish(failure("stopped", "stopped"))
  end
end

return M
