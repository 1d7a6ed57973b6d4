--- What waits for the owner's decision: each proposal with what changes, why, and the words it came from.
---
--- The same decisions as the boxes of the review note, which `o` opens. What an approval saves is the text that is shown.

local base = require("deepseedian")
local api = vim.api

local M = {}
local space = api.nvim_create_namespace("deepseedian-review")
local diff = vim.text and vim.text.diff or vim.diff
local list = { proposals = {}, starts = {} } -- where each proposal begins

local function operation(name)
  local names = {
    add = base.say("Add", "新增"), edit = base.say("Correct", "更正"), merge = base.say("Merge", "合并"),
    move = base.say("Move", "移动"), archive = base.say("Archive", "归档"),
  }
  return names[name] or base.line(name)
end

local function marked(lines, mark, text)
  for _, line in ipairs(vim.split(base.shown(text), "\n", { plain = true })) do
    lines[#lines + 1] = mark .. line
  end
end

--- What changes, as the lines of a diff.
local function change(lines, item)
  local before = item.before or {}
  if item.operation == "move" or item.operation == "archive" then
    return marked(lines, item.operation == "move" and "  " or "- ", before[1] or item.text)
  elseif #before ~= 1 then
    for _, text in ipairs(before) do
      marked(lines, "- ", text)
    end
    return marked(lines, "+ ", item.text)
  end
  local told = diff(base.shown(before[1]) .. "\n", base.shown(item.text) .. "\n", { ctxlen = 3 })
  for line in told:gmatch("([^\n]*)\n") do
    if not line:match("^@@") then
      lines[#lines + 1] = line:sub(1, 1) .. " " .. line:sub(2)
    end
  end
end

local function head(number, item)
  local parts = { ("%d. %s"):format(number, operation(item.operation)), item.topic, base.say("%d days", "%d 天", item.days) }
  if item.contested then
    parts[#parts + 1] = base.say("differs from what is remembered", "与已有记忆不同")
  end
  if item.stale ~= "" then
    parts[#parts + 1] = base.say("out of date: %s", "已过时：%s", item.stale)
  end
  return base.line(table.concat(parts, " · "))
end

local function section(lines, number, item)
  lines[#lines + 1] = head(number, item)
  change(lines, item)
  lines[#lines + 1] = "  " .. base.line(item.reason)
  for _, quote in ipairs(item.evidence) do
    marked(lines, "  > ", quote.quote)
  end
  lines[#lines + 1] = ""
end

local function colour(buffer, lines)
  api.nvim_buf_clear_namespace(buffer, space, 0, -1)
  for row, line in ipairs(lines) do
    local name = line:match("^%+ ") and "DiffAdd" or line:match("^%- ") and "DiffDelete" or line:match("^%d+%. ") and "Title"
    if name then
      api.nvim_buf_set_extmark(buffer, space, row - 1, 0, { line_hl_group = name })
    end
  end
end

local function current()
  local row, found = api.nvim_win_get_cursor(0)[1], nil
  for number, start in ipairs(list.starts) do
    found = row >= start and number or found
  end
  return found or 1
end

local function draw(vault, proposals, at)
  local keys = base.say("a approve, d dismiss, o the note, r look again, q close", "a 批准，d 忽略，o 打开审阅笔记，r 刷新，q 关闭")
  local some = base.say("%d to review. %s", "%d 条待审阅。%s", #proposals, keys)
  local lines = { #proposals > 0 and some or base.say("Nothing waits for you.", "没有待审阅的内容。"), "" }
  list = { proposals = proposals, starts = {} }
  for number, item in ipairs(proposals) do
    list.starts[number] = #lines + 1
    section(lines, number, item)
  end
  local buffer, window = base.panel("review", vault, lines)
  colour(buffer, lines)
  api.nvim_win_set_cursor(window, { list.starts[math.min(at, #proposals)] or 1, 0 })
  return buffer
end

local function decide(vault, decision)
  local at = current()
  local item = list.proposals[at]
  if not item or list.deciding then
    return
  end
  list.deciding = true
  local path = ("/v1/proposals/%s/decision"):format(vim.uri_encode(item.id, "rfc3986"))
  base.call(vault, "POST", path, { decision = decision }, function(problem, found)
    list.deciding = false
    if problem then
      base.tell(base.failure(problem, vault), vim.log.levels.ERROR)
    elseif found.status == "stale" then
      base.tell(base.say("not applied: %s", "未生效：%s", found.stale ~= "" and found.stale or base.say("memory changed meanwhile", "记忆已变化")))
    end
    if not problem or problem.code ~= "daemon_away" then
      M.open(vault, at)
    end
  end)
end

--- The note as a file like any other, but for modelines: others' words stand in it.
local function open_note(vault)
  local item = list.proposals[current()]
  local note = item and item.note
  if type(note) ~= "string" or not note:match("%.md$") or note:find("..", 1, true) then
    return
  end
  local modeline = vim.go.modeline
  vim.go.modeline = false
  pcall(vim.cmd.split, vim.fn.fnameescape(vault .. "/" .. note))
  vim.go.modeline = modeline
end

local function bind(buffer, vault)
  local keys = {
    a = { "approve", function() decide(vault, "approve") end },
    d = { "dismiss", function() decide(vault, "dismiss") end },
    o = { "open the review note", function() open_note(vault) end },
    r = { "look again", function() M.open(vault, current()) end },
  }
  for key, found in pairs(keys) do
    base.map(buffer, "n", key, found[1], found[2])
  end
end

--- List what waits, with the cursor at that proposal.
function M.open(vault, at)
  vault = vault or base.vault_of(api.nvim_get_current_buf())
  if not vault then
    return
  end
  base.call(vault, "GET", "/v1/proposals", nil, function(problem, found)
    if problem then
      return base.tell(base.failure(problem, vault), vim.log.levels.ERROR)
    end
    bind(draw(vault, found.proposals, at or 1), vault)
  end)
end

return M
