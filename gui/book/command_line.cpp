#include "gui/book/command_line.hpp"

#include <algorithm>

#include "device/characters.hpp"
#include "gui/book/book.hpp"
#include "lab/book/place_link.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {

/// The text as one word of a shell command, quoted if it needs to be.
std::string word(const std::string& text) {
  static constexpr std::string_view kPlain = "=,.:/_-+@%";
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return device::is_letter(c) || device::is_digit(c) || kPlain.find(c) != kPlain.npos;
  });
  if (plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Shell lines that write `text` into a file and put the file's name into `$variable`.
std::string file_in(const std::string& variable, const std::string& text) {
  std::string end = "TEXT";  // must not be a line of the text
  const auto lines = lab::lines_of(text);
  while (std::ranges::find(lines, end) != lines.end()) end += "_";
  std::string made = variable + "=$(mktemp) && cat >\"$" + variable + "\" <<'" + end + "'\n" + text;
  if (!made.ends_with('\n')) made += '\n';
  return made + end + "\n";
}

/// Empty for the default GPU, which the command takes by itself.
std::string gpu_of(const lab::Inputs& inputs) {
  return inputs.gpu == lab::Inputs{}.gpu ? std::string() : " --gpu " + word(inputs.gpu);
}

/// `verb` with what differs from the chapter's run.
std::string command_of(const std::string& verb, const lab::Lesson& lesson,
                       const lab::Inputs& inputs) {
  std::string files, command = "./warpbook " + verb;
  for (const lab::Parameter& parameter : lesson.parameters) {
    const lab::Value* value = inputs.values.find(parameter.name);
    if (value && *value != parameter.initial)
      command += " --set " + word(parameter.name + "=" + lab::to_text(*value));
  }
  for (std::size_t i = 0; i < lesson.slots.size(); ++i) {
    const auto own = inputs.sources.find(lesson.slots[i].name);
    if (own == inputs.sources.end()) continue;
    const std::string variable = "source" + std::to_string(i + 1);
    files += file_in(variable, own->second);
    command += " --source " + lesson.slots[i].name + "=\"$" + variable + "\"";
  }
  command += gpu_of(inputs);
  if (inputs.seed != 0) command += " --seed " + std::to_string(inputs.seed);
  return files + command;
}

/// The file is the reader's own, so it is named and not written anew.
std::string command_of(const MyProgram& program, const lab::Inputs& inputs) {
  if (program.file().empty()) return {};
  std::string command = "./warpbook program " + word(program.file().string()) + gpu_of(inputs);
  const std::vector<std::string> arguments = argument_words(program.arguments());
  if (!arguments.empty()) command += " --";
  for (const std::string& argument : arguments) command += " " + word(argument);
  return command;
}

}  // namespace

std::string command_of_link(const lab::Lesson& lesson, const lab::Inputs& inputs,
                            const std::string& step) {
  return "./warpbook open " + word(text_of(lab::place_link(lesson, inputs, step)));
}

std::string command_of(const Book& book) {
  if (book.program_open()) return command_of(book.my_program(), book.inputs());
  if (const ExerciseAttempt* attempt = book.active_attempt(); attempt && attempt->text())
    return file_in("source", attempt->source()) + "./warpbook check " + attempt->id() +
           " \"$source\"" + gpu_of(book.inputs());
  const lab::Lesson* lesson = book.lesson();
  return lesson ? command_of("run " + lesson->slug, *lesson, book.inputs()) : std::string();
}

std::string command_of_export(const Book& book) {
  const lab::Lesson* lesson = book.lesson();
  if (!lesson) return {};
  const std::string verb = "export " + lesson->slug + " " + lesson->slug + ".html";
  return command_of(verb, *lesson, book.inputs()) + " --lang " + book.language();
}

}  // namespace warpbook::gui
