--- Deepseedian in Neovim: a thin client of the daemon of the vault that the current file lies in.
---
--- This module holds what all parts share: which vault, what a person is told, where text is shown; and the two short
--- commands, `recall` and `remember`. What comes from a model, an entry or a note is data: it is shown in buffers without a
--- file, with whatever steers a terminal or hides in a line written out, and nothing of it is ever carried out.

local M = {}

local DEFAULTS = { vault = "", command = "deepseedian", runtime = "", config_dir = ".obsidian", language = "", width = 0.4 }
local SELECTION, NEARBY, HEADING, AROUND = 6000, 10000, 500, 6

--- An option as vim.g.deepseedian sets it, or its default.
function M.option(name)
  local given = type(vim.g.deepseedian) == "table" and vim.g.deepseedian[name]
  return type(given) == type(DEFAULTS[name]) and given or DEFAULTS[name]
end

--- The text in the person's language; every text stands in the code in both.
function M.say(english, chinese, ...)
  local language = M.option("language")
  language = language ~= "" and language or vim.v.lang
  return (language:lower():match("^zh") and chinese or english):format(...)
end

-- Text that others wrote

local PICTURE = { { 0x2190, 0x2BFF }, { 0xFE0F, 0xFE0F }, { 0x1F000, 0x1FAFF } }
local HIDDEN = {
  { 0x80, 0x9F }, { 0xAD, 0xAD }, { 0x34F, 0x34F }, { 0x61C, 0x61C }, { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
  { 0x200B, 0x200C }, { 0x200E, 0x200F }, { 0x2028, 0x202E }, { 0x2060, 0x206F }, { 0x3164, 0x3164 }, { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 },
  { 0xFFF0, 0xFFFB }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
}

local function within(ranges, number)
  for _, range in ipairs(ranges) do
    if number >= range[1] and number <= range[2] then
      return true
    end
  end
  return false
end

local function written_out(number)
  return ("[U+%04X]"):format(number)
end

--- A text as it may be shown: control characters, and those that hide or turn text round, are written out.
function M.shown(text)
  text = tostring(text):gsub("\r\n", "\n"):gsub("[%z\1-\8\11-\31\127]", function(char)
    return written_out(char:byte())
  end)
  if not text:find("[\194-\244]") then
    return text
  end
  local last = 0 -- a joiner between pictures is a part of the picture
  return (text:gsub("[%z\1-\127\194-\244][\128-\191]*", function(char)
    local number = vim.fn.char2nr(char, true)
    local hidden = within(HIDDEN, number) or (number == 0x200D and not within(PICTURE, last))
    last = number
    return hidden and written_out(number) or nil
  end))
end

--- The same on one line.
function M.line(text)
  return (M.shown(text):gsub("%s+", " "))
end

local RULER = 12 -- columns that Neovim keeps free at the end of a message

--- Tell the person something, on one line. What is too long for it would wait for Enter: it stands whole beside the cursor,
--- until that moves.
function M.tell(text, level)
  text = "Deepseedian: " .. M.line(text)
  local room = vim.o.columns - RULER
  if vim.fn.strdisplaywidth(text) > room then
    local gone = { "CursorMoved", "CursorMovedI", "InsertCharPre", "BufLeave" }
    vim.lsp.util.open_floating_preview({ text }, "", { focusable = false, wrap = true, max_width = room, close_events = gone })
    while vim.fn.strdisplaywidth(text .. "…") > room do
      text = vim.fn.strcharpart(text, 0, vim.fn.strchars(text) - 1)
    end
    text = text .. "…"
  end
  vim.notify(text, level or vim.log.levels.INFO)
end

--- What went wrong, for a person, with what to do where that is known.
function M.failure(problem, vault)
  if problem.code == "daemon_away" then
    local command = ("%s --vault %s start"):format(M.option("command"), vim.fn.shellescape(vault))
    return M.say("not running; start: %s", "没有运行；启动：%s", command)
  elseif problem.code == "lost_answer" then
    return M.say("the connection broke; look whether it was done before you repeat it", "连接断了；重复之前请先看看是否已经完成")
  end
  return problem.hint ~= "" and ("%s (%s)"):format(problem.message, problem.hint) or problem.message
end

-- The vault and the note

local function real(path)
  return vim.fs.normalize(vim.uv.fs_realpath(path) or path, { expand_env = false })
end

--- The vault that a buffer's file lies in, else the one of the current folder, else vim.g.deepseedian.vault. Tells when there is none.
function M.vault_of(buffer)
  local kept = vim.b[buffer].deepseedian_vault
  if kept then
    return kept
  end
  local name = vim.bo[buffer].buftype == "" and vim.api.nvim_buf_get_name(buffer) or ""
  for _, start in ipairs({ name ~= "" and vim.fs.dirname(name) or vim.uv.cwd(), vim.uv.cwd() }) do
    local found = vim.fs.root(real(start), M.option("config_dir"))
    if found then
      return found
    end
  end
  local named = M.option("vault")
  if named ~= "" then
    return real(vim.fs.normalize(named))
  end
  M.tell(M.say("no vault here or above; name one: vim.g.deepseedian = { vault = \"/path\" }",
    "这里及上级目录没有仓库；请指定：vim.g.deepseedian = { vault = \"/path\" }"), vim.log.levels.ERROR)
end

local function well_formed(char, size)
  return #char == size and size > 1 and not char:find("[\192-\255]", 2) and not char:find("^\224[\128-\159]") and not char:find("^\237[\160-\191]")
    and not char:find("^\240[\128-\143]") and not char:find("^\244[\144-\191]")
end

--- A run of bytes beyond ASCII with a replacement sign for each byte that is no UTF-8.
local function utf8_only(run)
  local found, at = {}, 1
  while at <= #run do
    local lead = run:byte(at)
    local size = lead >= 0xC2 and lead <= 0xDF and 2 or lead >= 0xE0 and lead <= 0xEF and 3 or lead >= 0xF0 and lead <= 0xF4 and 4 or 1
    local char = run:sub(at, at + size - 1)
    local good = well_formed(char, size)
    found[#found + 1] = good and char or "\239\191\189"
    at = at + (good and size or 1)
  end
  return table.concat(found)
end

--- Lines of a buffer as UTF-8 text. In Neovim a line feed within a line stands for NUL.
function M.text(lines)
  local found = {}
  for number, line in ipairs(lines) do
    found[number] = line:gsub("\n", "\0")
  end
  return (table.concat(found, "\n"):gsub("[\128-\255]+", utf8_only))
end

function M.cut(text, most)
  return vim.fn.strcharpart(text, 0, most)
end

--- A file's path inside the vault as the daemon writes it; nil for one outside, hidden, or of a name it does not take.
function M.path_in(vault, buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if vim.bo[buffer].buftype ~= "" or name == "" then
    return nil
  end
  local path = vim.uv.fs_stat(name) and real(name) or real(vim.fs.dirname(name)) .. "/" .. vim.fs.basename(name)
  local root = real(vault):gsub("/$", "") .. "/"
  if path:sub(1, #root) ~= root then
    return nil
  end
  path = path:sub(#root + 1)
  return not ("/" .. path):find("/%.") and not path:find("[:\\%c]") and path or nil
end

--- What a command was given as a range: its text and lines. A visual selection within lines counts as it was made.
function M.selection(args)
  if args.range == 0 then
    return nil
  end
  local from, to = vim.fn.getpos("'<"), vim.fn.getpos("'>")
  local lines
  if args.range == 2 and from[2] == args.line1 and to[2] == args.line2 and vim.fn.visualmode() ~= "" then
    lines = vim.fn.getregion(from, to, { type = vim.fn.visualmode() })
  else
    lines = vim.api.nvim_buf_get_lines(0, args.line1 - 1, args.line2, false)
  end
  return { text = M.text(lines), first = args.line1, last = args.line2 }
end

--- Where the person is, as a question brings it along: the note, what is selected, the lines around, the heading above.
function M.context(vault, buffer, chosen)
  if vim.bo[buffer].buftype ~= "" then
    return {}
  end
  local row = chosen and chosen.first or vim.api.nvim_win_get_cursor(0)[1]
  local lines = vim.api.nvim_buf_get_lines(buffer, math.max(0, row - 1 - AROUND), (chosen and chosen.last or row) + AROUND, false)
  local written = vim.uv.fs_stat(vim.api.nvim_buf_get_name(buffer)) ~= nil -- the daemon looks at the file itself
  local found = { path = written and M.path_in(vault, buffer) or nil, nearby = M.cut(M.text(lines), NEARBY) }
  for _, line in ipairs(vim.fn.reverse(vim.api.nvim_buf_get_lines(buffer, 0, row, false))) do
    local heading = line:match("^#+%s+(.-)%s*#*$")
    if heading then
      found.heading = M.cut(M.text({ heading }), HEADING)
      break
    end
  end
  if chosen then
    found.selection = M.cut(chosen.text, SELECTION)
  end
  if chosen and found.path and found.path:match("%.md$") then
    found.startLine, found.endLine = chosen.first, chosen.last
  end
  return found
end

-- Requests and windows

--- One request to the vault's daemon, see `request` in wire.lua.
function M.call(vault, method, path, body, done, more)
  local spec = vim.tbl_extend("force", { vault = vault, method = method, path = path, body = body, runtime = M.option("runtime") }, more or {})
  return require("deepseedian.wire").request(spec, done)
end

--- A change: repeated once under the same key when its answer was lost, so that it lands once.
function M.change(vault, method, path, body, done)
  local key = vim.text.hexencode(vim.uv.random(12))
  M.call(vault, method, path, body, function(problem, found)
    if problem and problem.code == "lost_answer" then
      M.call(vault, method, path, body, done, { key = key })
    else
      done(problem, found)
    end
  end, { key = key })
end

local buffers = {}

--- A buffer of ours by its name: no file, no swap, no modeline, nothing to undo.
function M.buffer(name, vault)
  local buffer = buffers[name]
  if not buffer or not vim.api.nvim_buf_is_valid(buffer) then
    buffer = vim.api.nvim_create_buf(false, true)
    buffers[name] = buffer
    vim.api.nvim_buf_set_name(buffer, "deepseedian://" .. name)
    vim.bo[buffer].modeline = false
    vim.bo[buffer].undolevels = -1
    vim.bo[buffer].modifiable = false
  end
  vim.b[buffer].deepseedian_vault = vault
  return buffer
end

function M.write(buffer, first, last, lines)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, first, last, false, lines)
  vim.bo[buffer].modifiable = false
end

--- A window on a buffer in this tab page, made when there is none.
function M.window(buffer, config)
  local window = vim.fn.win_findbuf(buffer)
  window = vim.iter(window):find(function(id)
    return vim.api.nvim_win_get_tabpage(id) == vim.api.nvim_get_current_tabpage()
  end)
  if not window then
    window = vim.api.nvim_open_win(buffer, false, config)
    for name, value in pairs({ number = false, relativenumber = false, wrap = true, linebreak = true, list = false, spell = false }) do
      vim.wo[window][0][name] = value
    end
  end
  return window
end

function M.map(buffer, modes, key, what, action)
  vim.keymap.set(modes, key, action, { buffer = buffer, nowait = true, silent = true, desc = "Deepseedian: " .. what })
end

--- Lines in a window below; `q` closes it.
function M.panel(name, vault, lines)
  local buffer = M.buffer(name, vault)
  M.write(buffer, 0, -1, lines)
  local window = M.window(buffer, { split = "below", win = -1, height = math.max(3, math.min(#lines, math.floor(vim.o.lines / 3))) })
  vim.api.nvim_set_current_win(window)
  M.map(buffer, "n", "q", "close", "<Cmd>close<CR>")
  return buffer, window
end

-- recall and remember

local function split(text)
  return vim.split(M.shown(text), "\n", { plain = true })
end

local function shown_recall(vault, question, found)
  local lines, ids = { M.say("Memory for: %s", "相关记忆：%s", M.line(question)) }, {}
  for _, row in ipairs(found.index) do
    lines[#lines + 1] = "- " .. M.line(row.summary)
    ids[#lines] = row.id
  end
  if #found.index == 0 then
    lines[#lines + 1] = M.say("nothing is offered: %s", "没有可用的记忆：%s", M.line(found.reason or ""))
  end
  local buffer, window = M.panel("recall", vault, lines)
  M.map(buffer, "n", "<CR>", "the whole entry", function()
    local row = vim.api.nvim_win_get_cursor(0)[1]
    if ids[row] then
      M.call(vault, "GET", "/v1/entries/" .. vim.uri_encode(ids[row], "rfc3986"), nil, function(problem, entry)
        if problem then
          return M.tell(M.failure(problem, vault), vim.log.levels.ERROR)
        end
        M.panel("entry", vault, vim.list_extend({ M.line(("%s  %s  %s"):format(entry.topic, entry.createdAt, entry.source)), "" }, split(entry.text)))
      end)
    end
  end)
  vim.api.nvim_win_set_cursor(window, { math.min(2, #lines), 0 })
end

--- The index of a turn for a question, else for the selection, else for the current line.
function M.recall(args)
  local buffer = vim.api.nvim_get_current_buf()
  local vault, chosen = M.vault_of(buffer), M.selection(args)
  local question = args.text ~= "" and args.text or chosen and chosen.text or M.text({ vim.api.nvim_get_current_line() })
  if not vault or vim.trim(question) == "" then
    return vault and M.tell(M.say("there is nothing to recall for on this line", "这一行没有内容"))
  end
  M.call(vault, "POST", "/v1/recall", { question = question, door = "nvim" }, function(problem, found)
    if problem then
      return M.tell(M.failure(problem, vault), vim.log.levels.ERROR)
    end
    shown_recall(vault, question, found)
  end)
end

--- Keep a text, else the selection, else the current line.
function M.remember(args)
  local buffer = vim.api.nvim_get_current_buf()
  local vault, chosen = M.vault_of(buffer), M.selection(args)
  local text = args.text ~= "" and args.text or chosen and chosen.text or M.text({ vim.api.nvim_get_current_line() })
  if not vault then
    return
  end
  M.change(vault, "POST", "/v1/entries", { text = text }, function(problem, found)
    if problem then
      return M.tell(M.failure(problem, vault), vim.log.levels.ERROR)
    end
    M.tell(M.say("remembered in %s: %s", "已记入 %s：%s", found.topic, M.cut(text, 60)))
  end)
end

-- The command

local WORDS = {
  ask = function(args) require("deepseedian.ask").ask(args) end,
  again = function() require("deepseedian.ask").again() end,
  new = function() require("deepseedian.ask").new() end,
  stop = function() require("deepseedian.ask").stop() end,
  recall = M.recall,
  remember = M.remember,
  review = function() require("deepseedian.review").open() end,
  complete = function() require("deepseedian.ghost").complete() end,
}

--- `:Deepseedian WORD [TEXT]`, with what nvim_create_user_command gives.
function M.command(given)
  local word, text = given.args:match("^%s*(%S*)%s*(.-)%s*$")
  if not WORDS[word] then
    return M.tell(M.say("one of: %s", "可用：%s", table.concat(M.words(""), ", ")), vim.log.levels.ERROR)
  end
  WORDS[word]({ text = text, range = given.range, line1 = given.line1, line2 = given.line2 })
end

--- The words that begin so.
function M.words(begun)
  local found = vim.tbl_filter(function(word)
    return word:sub(1, #begun) == begun
  end, vim.tbl_keys(WORDS))
  table.sort(found)
  return found
end

return M
