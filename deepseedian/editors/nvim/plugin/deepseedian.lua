-- The command and the <Plug> mappings; everything else is loaded when it is first used. No key is taken.

if vim.g.loaded_deepseedian then
  return
end
vim.g.loaded_deepseedian = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_create_user_command("Deepseedian", function()
    vim.api.nvim_err_writeln("Deepseedian needs Neovim 0.10 or newer")
  end, { nargs = "*", range = true })
  return
end

vim.api.nvim_create_user_command("Deepseedian", function(given)
  require("deepseedian").command(given)
end, {
  nargs = "+",
  range = true,
  desc = "Ask, recall, remember, review, complete: see :help deepseedian",
  complete = function(begun, line)
    return line:match("Deepseedian%s+%S*$") and require("deepseedian").words(begun) or {}
  end,
})

vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI", "InsertCharPre" }, {
  pattern = "*.md",
  group = vim.api.nvim_create_augroup("deepseedian-activity", {}),
  callback = function()
    require("deepseedian.activity").seen()
  end,
})

for _, word in ipairs({ "ask", "recall", "remember" }) do
  vim.keymap.set("n", ("<Plug>(deepseedian-%s)"):format(word), ("<Cmd>Deepseedian %s<CR>"):format(word))
  vim.keymap.set("x", ("<Plug>(deepseedian-%s)"):format(word), (":Deepseedian %s<CR>"):format(word), { silent = true })
end
for _, word in ipairs({ "review", "stop" }) do
  vim.keymap.set("n", ("<Plug>(deepseedian-%s)"):format(word), ("<Cmd>Deepseedian %s<CR>"):format(word))
end
vim.keymap.set({ "n", "i" }, "<Plug>(deepseedian-complete)", "<Cmd>Deepseedian complete<CR>")
