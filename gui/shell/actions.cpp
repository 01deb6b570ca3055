#include "gui/shell/actions.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "gui/book/command_line.hpp"
#include "gui/shell/shell.hpp"

#include <imgui_internal.h>

namespace warpbook::gui {
namespace {
/// Takes the keyboard from the box or editor that has it, so that the keys that follow are not text in it.
void leave_typing() {
  ImGui::ClearActiveID();
  ImGui::FocusWindow(ImGui::FindWindowByName("book"));
}

/// Takes the focus from every item, so that the keys scroll the text again.
void leave_item() {
  leave_typing();
  ImGui::SetNavID(0, ImGuiNavLayer_Main, ImGui::GetCurrentContext()->NavFocusScopeId, {});
  ImGui::SetNavCursorVisible(false);
}

/// Goes to the open question in view, or the next one behind what is in view, or else the chapter's first, with the focus on its first
/// choice: digits answer it, and so do the arrow keys with Enter.
void next_question(Shell& shell, const Ui& ui) {
  leave_typing();
  const auto& nodes = ui.book.document().nodes;
  const std::size_t first = shell.document().first_in_view();
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const std::size_t i = (first + n) % nodes.size();
    const auto* predict = std::get_if<lab::PredictDirective>(&nodes[i]);
    if (predict && !ui.book.answered(predict->id)) {
      shell.show_document();
      shell.document().go_to_question(predict->id);
      shell.document().focus_choices(i);
      return;
    }
  }
}

void open_find(Shell& shell, const Ui&) {
  shell.show_document();
  shell.document().open_find();
}

/// Goes to the next place that was found, or to the one before; opens the find bar if it is closed.
void step_find(Shell& shell, const Ui& ui, int by) {
  FindBar& bar = shell.document().find_bar();
  bar.is_open() ? bar.step(by) : open_find(shell, ui);
}

/// Ends the comparison that is shown, or shows the last one again; where there is none, says how to make one.
void toggle_comparison(const Ui& ui) {
  ui.post([](Book& book) {
    if (book.toggle_comparison()) return;
    const std::string keys(keys_of("keep-run"));
    book.tell(Toast::Kind::plain, book.strings()("gui.compare.nothing-kept", {{"keys", keys}}));
  });
}

/// In the reader's comparison, opens the list of runs that a side may show; else shows the comparison.
void choose_side(Shell& shell, const Ui& ui, bool of_b) {
  shell.show_lab();
  if (ui.book.comparing() && !ui.book.active_attempt())
    shell.lab().choose_side(of_b);
  else
    toggle_comparison(ui);
}

void copy(Shell& shell, const Ui&) {
  const std::string text = shell.document().selected_text();
  if (!text.empty()) ImGui::SetClipboardText(text.c_str());
}

/// Into the clipboard; a toast says what to do with it. Nothing where there is no command.
void copy_for_terminal(const Ui& ui, const std::string& command) {
  if (command.empty()) return;
  ImGui::SetClipboardText(command.c_str());
  ui.post([](Book& book) { book.tell(Toast::Kind::ok, book.strings()("gui.command-copied")); });
}

void copy_command(Shell&, const Ui& ui) { copy_for_terminal(ui, command_of(ui.book)); }

void copy_export(Shell&, const Ui& ui) { copy_for_terminal(ui, command_of_export(ui.book)); }

void copy_link(Shell& shell, const Ui& ui) {
  if (!ui.book.lesson()) return;
  const auto& steps = shell.document().steps();
  const std::size_t at = shell.document().current_step();
  copy_for_terminal(ui, command_of_link(*ui.book.lesson(), ui.book.inputs(),
                                        at < steps.size() ? steps[at].name : std::string()));
}

/// Of the exercise that the reader is working at, the starter; else the original of every source of the chapter.
void put_original_back(Shell&, const Ui& ui) {
  ui.post([](Book& book) {
    if (const ExerciseAttempt* attempt = book.active_attempt()) {
      book.reset_exercise(attempt->id());
    } else if (book.lesson()) {
      for (const lab::SourceSlot& slot : book.lesson()->slots) book.reset_source(slot.name);
    }
  });
}

/// Saves the picture of the exhibit that the reader is at, as its menu does.
void save_picture(Shell& shell, const Ui& ui) {
  const std::vector<std::string> known = exhibits_to_enlarge(ui.book);
  std::string id = shell.exhibit_at_hand(ui.book);
  if (id.empty() && !known.empty()) id = known.front();
  ui.post([id](Book& book) {
    const auto [exhibit, stale] = book.shown_exhibit(id);
    const char* refused = !exhibit                  ? "gui.menu.no-picture"
                          : stale                   ? "gui.menu.stale"
                          : book.of_draft(*exhibit) ? "gui.menu.draft"
                                                    : nullptr;
    if (refused)
      book.tell(Toast::Kind::plain, book.strings()(refused));
    else
      book.want_export(Export{Export::What::image, Export::To::file, *exhibit});
  });
}

void open_scratch_page(Book& book) {
  book.close_program_page();
  if (!book.on_scratch_page()) book.open_scratch_page();
}

/// Tab goes on from the step, unless the reader is writing.
void step_on(Shell& shell, const Ui& ui) { shell.step_on(ui, !ui.typing); }
void step_back(Shell& shell, const Ui& ui) {
  DocumentView& text = shell.document();
  if (text.current_step() == 0) return;
  const std::size_t before = text.current_step() - 1;
  shell.go_to_step(ui, before);
  if (!ui.typing) text.focus(text.steps()[before].node);
}

/// An action of a lecture, which changes the book between frames.
template <class Change>
auto in_lecture(Change change) {
  return [change](Shell& shell, const Ui& ui) {
    ui.post([&shell, change](Book& book) { change(shell, book); });
  };
}

void go_on(Shell& shell, Book& book) {
  if (!shell.turn_page(1)) shell.lecture().go_on(book);
}
void go_back(Shell& shell, Book& book) {
  if (!shell.turn_page(-1)) shell.lecture().go_back(book);
}

constexpr ImGuiKeyChord kCtrl = ImGuiMod_Ctrl, kAlt = ImGuiMod_Alt, kShift = ImGuiMod_Shift;
}  // namespace

std::span<const Action> actions() {
  static const std::array table{
      Action{"run", kCtrl | ImGuiKey_Enter, "Ctrl+Enter",
             [](Shell&, const Ui& ui) { ui.post([](Book& book) { book.run_now(); }); }},
      Action{"list", kCtrl | ImGuiKey_B, "Ctrl+B",
             [](Shell& shell, const Ui&) { shell.toggle_list(); }},
      Action{"step-after", kAlt | ImGuiKey_RightArrow, "Alt+Right", step_on},
      Action{"step-before", kAlt | ImGuiKey_LeftArrow, "Alt+Left", step_back},
      Action{"question", kCtrl | ImGuiKey_Q, "Ctrl+Q", next_question},
      Action{"editor", kCtrl | ImGuiKey_E, "Ctrl+E",
             [](Shell& shell, const Ui& ui) {
               leave_typing();
               if (ui.book.program_open()) {
                 shell.program().focus_editor();
                 return;
               }
               shell.show_lab();
               ui.post([](Book& book) { book.turn_to_live_run(); });
               shell.lab().focus_editor(ui);
             }},
      // Its key is the editor's own.
      Action{"undo", 0, "",
             [](Shell& shell, const Ui& ui) {
               CodeEditor* editor = ui.book.program_open()
                                        ? &shell.program().code().editor(CodePanel::kProgramEditor)
                                        : shell.lab().editor_shown(ui);
               if (!editor) return;
               editor->undo();
               editor->focus();
             }},
      Action{"leave-editor", ImGuiKey_F6, "F6",
             [](Shell& shell, const Ui& ui) {
               if (shell.finder().is_open()) {
                 shell.finder().close();
                 return;
               }
               leave_item();
               shell.focus_text(ui.book);
             }},
      Action{"word-help", ImGuiKey_F1, "F1",
             [](Shell& shell, const Ui& ui) {
               CodePanel& code =
                   ui.book.program_open() ? shell.program().code() : shell.lab().code();
               code.toggle_word_help();
             }},
      Action{"pin-line", kAlt | ImGuiKey_L, "Alt+L",
             [](Shell& shell, const Ui& ui) {
               if (ui.book.program_open())
                 shell.program().code().pin_program_line(ui);
               else
                 shell.lab().code().pin_line(ui);
             }},
      Action{"ptx", kAlt | ImGuiKey_P, "Alt+P",
             [](Shell& shell, const Ui&) {
               CodePanel& code = shell.lab().code();
               code.show_ptx(!code.ptx_shown());
             }},
      Action{"sass", kAlt | ImGuiKey_S, "Alt+S",
             [](Shell& shell, const Ui&) {
               CodePanel& code = shell.lab().code();
               code.show_sass(!code.sass_shown());
             }},
      Action{"parameter", kCtrl | ImGuiKey_P, "Ctrl+P",
             [](Shell& shell, const Ui& ui) {
               if (ui.book.lesson() && !ui.book.lesson()->parameters.empty()) {
                 leave_typing();
                 ui.post([](Book& book) { book.turn_to_live_run(); });
                 shell.lab().focus_parameter(ui.book.lesson()->parameters.front().name);
               }
             }},
      Action{"keep-run", kCtrl | ImGuiKey_K, "Ctrl+K",
             [](Shell& shell, const Ui& ui) {
               shell.show_lab();
               ui.post([](Book& book) { book.keep_run(); });
             }},
      Action{"compare", kCtrl | ImGuiKey_M, "Ctrl+M",
             [](Shell& shell, const Ui& ui) {
               shell.show_lab();
               toggle_comparison(ui);
             }},
      Action{"compare-original", kCtrl | ImGuiKey_O, "Ctrl+O",
             [](Shell& shell, const Ui& ui) {
               shell.show_lab();
               ui.post([](Book& book) { book.compare_with_original(); });
             }},
      Action{"compare-swap", kCtrl | kShift | ImGuiKey_M, "Ctrl+Shift+M",
             [](Shell& shell, const Ui& ui) {
               shell.show_lab();
               ui.post([](Book& book) { book.swap_sides(); });
             }},
      Action{"choose-a", kCtrl | kShift | ImGuiKey_A, "Ctrl+Shift+A",
             [](Shell& shell, const Ui& ui) { choose_side(shell, ui, false); }},
      Action{"choose-b", kCtrl | kShift | ImGuiKey_B, "Ctrl+Shift+B",
             [](Shell& shell, const Ui& ui) { choose_side(shell, ui, true); }},
      Action{"gpu", kCtrl | ImGuiKey_G, "Ctrl+G",
             [](Shell& shell, const Ui&) { shell.choose_gpu(); }},
      Action{"hold", kCtrl | ImGuiKey_L, "Ctrl+L",
             [](Shell& shell, const Ui&) { shell.hold_lab(!shell.lab_held()); }},
      Action{"search", kCtrl | kShift | ImGuiKey_F, "Ctrl+Shift+F",
             [](Shell& shell, const Ui&) { shell.finder().open(Finder::What::places); }},
      Action{"palette", kCtrl | kShift | ImGuiKey_P, "Ctrl+Shift+P",
             [](Shell& shell, const Ui&) { shell.finder().open(Finder::What::actions); }},
      Action{"find", kCtrl | ImGuiKey_F, "Ctrl+F", open_find, true},
      Action{"find-next", ImGuiKey_F3, "F3",
             [](Shell& shell, const Ui& ui) { step_find(shell, ui, 1); }},
      Action{"find-before", kShift | ImGuiKey_F3, "Shift+F3",
             [](Shell& shell, const Ui& ui) { step_find(shell, ui, -1); }},
      Action{"program", kCtrl | kShift | ImGuiKey_R, "Ctrl+Shift+R",
             [](Shell&, const Ui& ui) {
               ui.post([](Book& book) {
                 book.program_open() ? book.close_program_page() : book.open_program_page();
               });
             }},
      Action{"scratch", kCtrl | kShift | ImGuiKey_K, "Ctrl+Shift+K",
             [](Shell&, const Ui& ui) { ui.post(open_scratch_page); }},
      Action{"glossary", kCtrl | kShift | ImGuiKey_G, "Ctrl+Shift+G",
             [](Shell& shell, const Ui&) { shell.toggle_glossary(); }},
      Action{"select-all", kCtrl | ImGuiKey_A, "Ctrl+A",
             [](Shell& shell, const Ui&) { shell.document().select_all(); }, true},
      Action{"copy", kCtrl | ImGuiKey_C, "Ctrl+C", copy, true},
      Action{"copy-command", kCtrl | kShift | ImGuiKey_C, "Ctrl+Shift+C", copy_command},
      Action{"copy-link", 0, "", copy_link},
      Action{"save-picture", 0, "", save_picture},
      Action{"copy-export", 0, "", copy_export},
      Action{"original", 0, "", put_original_back},
      Action{"own-version", 0, "",
             [](Shell&, const Ui& ui) {
               ui.post([](Book& book) {
                 if (book.has_own_version())
                   book.restore_own_version();
                 else
                   book.tell(Toast::Kind::plain, book.strings()("gui.own.nothing"));
               });
             }},
      Action{"ask-chapter-again", 0, "",
             [](Shell&, const Ui& ui) { ui.post([](Book& book) { book.ask_chapter_again(); }); }},
      Action{"ask-book-again", 0, "",
             [](Shell&, const Ui& ui) { ui.post([](Book& book) { book.ask_book_again(); }); }},
      Action{"settings", 0, "", [](Shell& shell, const Ui&) { shell.open_settings(); }},
      Action{"hint", kCtrl | ImGuiKey_H, "Ctrl+H",
             [](Shell&, const Ui& ui) {
               ui.post([](Book& book) {
                 if (ExerciseAttempt* attempt = book.active_attempt()) attempt->show_next_tier();
               });
             }},
      Action{"theme", kCtrl | kShift | ImGuiKey_T, "Ctrl+Shift+T",
             [](Shell&, const Ui& ui) {
               ui.post([](Book& book) {
                 book.set_theme(book.theme() == "dark"    ? "light"
                                : book.theme() == "light" ? "contrast"
                                                          : "dark");
               });
             }},
      Action{"language", kCtrl | kShift | ImGuiKey_L, "Ctrl+Shift+L",
             [](Shell&, const Ui& ui) {
               ui.post([](Book& book) {
                 const auto& languages = book.languages();
                 const auto now =
                     std::ranges::find(languages, book.language(), &lab::Language::code);
                 const auto next = now == languages.end() ? now : now + 1;
                 if (!languages.empty())
                   book.set_language((next == languages.end() ? languages.begin() : next)->code);
               });
             }},
      // The plus is the shifted key of the equals sign on many keyboards, so it zooms with and without Shift.
      Action{"zoom-in", kCtrl | ImGuiKey_Equal, "Ctrl++",
             [](Shell& shell, const Ui&) { shell.set_zoom(shell.zoom() + 0.1f); }, false,
             When::always, kCtrl | kShift | ImGuiKey_Equal},
      Action{"zoom-out", kCtrl | ImGuiKey_Minus, "Ctrl+-",
             [](Shell& shell, const Ui&) { shell.set_zoom(shell.zoom() - 0.1f); }},
      Action{"zoom-reset", kCtrl | ImGuiKey_0, "Ctrl+0",
             [](Shell& shell, const Ui&) { shell.set_zoom(1); }},
      Action{"in-words", kAlt | ImGuiKey_W, "Alt+W",
             [](Shell& shell, const Ui&) { shell.set_in_words(!shell.in_words()); }},
      Action{"divider", kCtrl | ImGuiKey_D, "Ctrl+D",
             [](Shell& shell, const Ui&) {
               using Stop = Shell::Stop;
               shell.set_stop(shell.stop() == Stop::read  ? Stop::lab
                              : shell.stop() == Stop::lab ? Stop::lab_only
                                                          : Stop::read);
             }},
      Action{"back", ImGuiKey_Escape, "Esc",
             [](Shell& shell, const Ui& ui) {
               if (shell.close_bar()) return;
               if (shell.lecture().on()) {
                 ui.post([&shell](Book& book) { shell.close_in_lecture(book); });
                 return;
               }
               if (!ui.typing) leave_item();
               shell.document().clear_selection();
               ui.post([](Book& book) {
                 book.link.unpin();
                 book.cancel();
                 if (!book.toasts().empty()) book.toasts().pop_back();
               });
             }},
      Action{"present", ImGuiKey_F11, "F11",
             in_lecture([](Shell& shell, Book& book) { shell.toggle_lecture(book); })},
      Action{"present-start", ImGuiKey_F5, "F5",
             in_lecture([](Shell& shell, Book& book) { shell.begin_lecture(book); })},
      Action{"screen-after", ImGuiKey_PageDown, "PageDown", in_lecture(go_on), false,
             When::presenting, ImGuiKey_RightArrow},
      Action{"screen-before", ImGuiKey_PageUp, "PageUp", in_lecture(go_back), false,
             When::presenting, ImGuiKey_LeftArrow},
      Action{"screen-first", ImGuiKey_Home, "Home",
             in_lecture([](Shell& shell, Book& book) { shell.lecture().go_to(book, 0); }), true,
             When::presenting},
      Action{"reveal", ImGuiKey_R, "R",
             in_lecture([](Shell& shell, Book& book) { shell.lecture().toggle_answer(book); }),
             true, When::presenting},
      Action{"vote", ImGuiKey_V, "V",
             in_lecture([](Shell& shell, Book& book) { shell.lecture().toggle_vote(book); }), true,
             When::presenting},
      Action{"vote-choice", ImGuiKey_A, "A-D", nullptr, true, When::voting, 0,
             static_cast<int>(kLetters),
             [](Shell& shell, int key) {
               shell.lecture().select_choice(static_cast<std::size_t>(key));
             }},
      Action{"vote-count", ImGuiKey_0, "0-9", nullptr, true, When::voting, 0, 10,
             [](Shell& shell, int key) { shell.lecture().type_count(key); }},
      Action{"vote-erase", ImGuiKey_Backspace, "Backspace",
             [](Shell& shell, const Ui&) { shell.lecture().erase_count(); }, true, When::voting},
      Action{"keep-votes", ImGuiKey_S, "S",
             in_lecture([](Shell& shell, Book& book) { shell.keep_votes(book); }), true,
             When::presenting},
      Action{"enlarge", ImGuiKey_E, "E",
             in_lecture([](Shell& shell, Book& book) { shell.toggle_enlarged(book); }), true,
             When::presenting},
      Action{"exhibit-after", ImGuiKey_DownArrow, "Down",
             in_lecture([](Shell& shell, Book& book) { shell.lecture().enlarge_next(book, 1); }),
             true, When::presenting},
      Action{"exhibit-before", ImGuiKey_UpArrow, "Up",
             in_lecture([](Shell& shell, Book& book) { shell.lecture().enlarge_next(book, -1); }),
             true, When::presenting},
      Action{"blank", ImGuiKey_Period, ".",
             [](Shell& shell, const Ui&) { shell.lecture().toggle_blank(); }, true,
             When::presenting, ImGuiKey_B},
      Action{"freeze", ImGuiKey_F, "F",
             [](Shell& shell, const Ui&) { shell.lecture().toggle_frozen(); }, true,
             When::presenting},
      Action{"countdown", ImGuiKey_T, "T",
             [](Shell& shell, const Ui& ui) { shell.lecture().count_down(ui.book.now()); }, true,
             When::presenting},
      Action{"countdown-stop", ImGuiKey_X, "X",
             [](Shell& shell, const Ui&) { shell.lecture().stop_countdown(); }, true,
             When::presenting},
      Action{"pointer", ImGuiKey_P, "P",
             [](Shell& shell, const Ui&) { shell.present_view().toggle_pointer(); }, true,
             When::presenting},
      Action{"notes", ImGuiKey_N, "N", [](Shell& shell, const Ui&) { shell.toggle_notes(); }, true,
             When::presenting},
      Action{"plan", ImGuiKey_M, "M",
             [](Shell& shell, const Ui&) { shell.notes_view().next_plan(); }, true,
             When::presenting},
      Action{"pen", ImGuiKey_D, "D",
             [](Shell& shell, const Ui&) { shell.present_view().toggle_pen(); }, true,
             When::presenting},
      Action{"pen-undo", ImGuiKey_Z, "Z",
             [](Shell& shell, const Ui&) { shell.present_view().undo_stroke(shell.lecture()); },
             true, When::presenting},
      Action{"pen-clear", ImGuiKey_C, "C",
             [](Shell& shell, const Ui&) { shell.present_view().clear_strokes(shell.lecture()); },
             true, When::presenting},
  };
  return table;
}

bool acts_now(const Action& action, const Presentation& lecture) {
  switch (action.when) {
    case When::always: return true;
    case When::presenting: return lecture.on();
    case When::voting: return lecture.on() && lecture.voting();
  }
  __builtin_unreachable();
}

bool counts_votes(ImGuiKeyChord chord) {
  return std::ranges::any_of(actions(), [&](const Action& action) {
    return action.when == When::voting && chord >= action.chord &&
           chord < action.chord + std::max(1, action.row);
  });
}

std::string_view keys_of(std::string_view id) {
  const auto found = std::ranges::find(actions(), id, &Action::id);
  if (found == actions().end()) throw std::logic_error("no action " + std::string(id));
  return found->keys;
}

}  // namespace warpbook::gui
