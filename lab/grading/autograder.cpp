#include "lab/grading/autograder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "lab/markup/json.hpp"

namespace warpbook::lab {
namespace {

namespace fs = std::filesystem;

// $AUTOGRADER_ROOT lets tests have a layout of their own. run_autograder cannot look for its files beside itself, since Gradescope copies it
// to /autograder.
constexpr const char* kSetUp = R"script(#!/bin/sh
# Gradescope runs this once, when it makes the image of the autograder. There is nothing to install; the check of the solution shows whether
# submissions can be graded in this image.
set -eu
cd "${{AUTOGRADER_ROOT:-/autograder}}/source"
chmod +x run_autograder warpbook program lib/*
WARPBOOK_HOME=$(mktemp -d) ./warpbook check {id} book/solutions/{file} --trust
)script";

constexpr const char* kRun = R"script(#!/bin/sh
# Gradescope runs this for each submission, in a container that nothing else uses. Each student has hidden cases of their own.
set -eu
root=${{AUTOGRADER_ROOT:-/autograder}}
work=$(mktemp -d)
export WARPBOOK_HOME="$work/home"
student=$(sed -n 's/.*"email": *"\([^"]*\)".*/\1/p' "$root/submission_metadata.json" | head -n 1 | tr -cd 'A-Za-z0-9@_-')
mkdir "$work/class"
cp -R "$root/submission" "$work/class/${{student:-student}}"
# What a submission prints is in the reports alone; what the command says is for the instructor.
"$root/source/warpbook" grade "$work/class" --out "$work/out" --exercises {id} --seed "$(cat "$root/source/key")" \
  --lang {language} --jobs 1 --trust
if ls "$work"/out/gradescope/*/results.json >/dev/null 2>&1; then
  cp "$work"/out/gradescope/*/results.json "$root/results/results.json"
else
  cat >"$root/results/results.json" <<'RESULTS'
{no_source}
RESULTS
fi
)script";

constexpr const char* kProgram = R"script(#!/bin/sh
# The program with the libraries that it was built for, whatever this image has.
here=$(dirname "$(readlink -f "$0")")
export WARPBOOK_BINARY="$here/warpbook" WARPBOOK_ROOT="$here/book" WARPBOOK_CUDA="$here/cuda"
exec "$here/lib/{loader}" --library-path "$here/lib" "$here/program" "$@"
)script";

bool is_loader(const fs::path& library) {
  return library.filename().string().starts_with("ld-linux");
}

std::string no_source_results(const std::string& sentence) {
  const nlohmann::json results = {{"score", 0},
                                  {"output", json_text(sentence)},
                                  {"visibility", "visible"},
                                  {"stdout_visibility", "hidden"}};
  return results.dump(1);
}

std::vector<ZipEntry> scripts(const Autograder& made) {
  const std::string file = submission_name(made.exercise.id, made.exercise.submission);
  const auto loader = std::ranges::find_if(made.libraries, is_loader);
  const std::string loader_name =
      loader == made.libraries.end() ? std::string() : loader->filename().string();
  return {{"setup.sh",
           fmt::format(kSetUp, fmt::arg("id", made.exercise.id), fmt::arg("file", file)),
           {},
           true},
          {"run_autograder",
           fmt::format(kRun, fmt::arg("id", made.exercise.id), fmt::arg("language", made.language),
                       fmt::arg("no_source", no_source_results(made.no_source))),
           {},
           true},
          {"warpbook", fmt::format(kProgram, fmt::arg("loader", loader_name)), {}, true},
          {"key", std::to_string(made.seed), {}, false}};
}

}  // namespace

device::Expected<std::vector<ZipEntry>> autograder_files(const Autograder& made) {
  const std::string& id = made.exercise.id;
  const std::string solution = "solutions/" + submission_name(id, made.exercise.submission);
  std::vector<std::pair<fs::path, std::string>> trees{
      {made.program, "program"},
      // As it is looked for, and not as the file is called that the link leads to.
      {made.toolkit.library, fmt::format("cuda/lib64/libnvrtc.so.{}", device::kCudaMajor)},
      {made.toolkit.builtins, "cuda/lib64/" + made.toolkit.builtins.filename().string()},
      {made.toolkit.includes.front(), "cuda/include"},
      {made.root / "exercises" / id, "book/exercises/" + id},
      {made.root / solution, "book/" + solution}};
  for (const std::string room : {"kernels", "lang", "lessons"})
    trees.emplace_back(made.root / room, "book/" + room);
  for (const fs::path& library : made.libraries)
    trees.emplace_back(library, "lib/" + library.filename().string());
  std::vector<ZipEntry> entries = scripts(made);
  for (const auto& [from, as] : trees) {
    if (auto added = add_tree(entries, from, as); !added) return tl::unexpected(added.error());
  }
  std::ranges::sort(entries, {}, &ZipEntry::path);
  return entries;
}

}  // namespace warpbook::lab
