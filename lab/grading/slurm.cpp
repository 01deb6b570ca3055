#include "lab/grading/slurm.hpp"

#include <fmt/format.h>

namespace warpbook::lab {
namespace {

/// One word of a shell, whatever is in it.
std::string shell_word(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

// Slurm queues a job again whose node is lost, and the job then finds the checks that it had kept. The last job waits until all parts have
// ended, however they ended ("afterany"), because it makes itself whatever a part has not made.
std::string slurm_script(std::span<const std::string> command, std::uint32_t parts,
                         const std::filesystem::path& folder) {
  std::string line;
  for (const std::string& word : command) line += shell_word(word) + " ";
  return fmt::format(R"script(#!/bin/sh
# Hands the checks of this class to Slurm in {parts} parts, and then the job that puts them together.
# Options of sbatch may follow: sh submit.sh --partition=short --cpus-per-task=4
set -eu
parts=$(sbatch --parsable --requeue --array=1-{parts} --job-name=warpbook-part --chdir={folder} \
  --output=slurm/part-%a.txt --open-mode=append "$@" <<'JOB'
#!/bin/sh
exec {line}--jobs "$SLURM_CPUS_ON_NODE" --part "$SLURM_ARRAY_TASK_ID/{parts}"
JOB
)
sbatch --requeue --dependency="afterany:${{parts%%;*}}" --job-name=warpbook-grades --chdir={folder} \
  --output=slurm/grades.txt --open-mode=append "$@" <<'JOB'
#!/bin/sh
exec {line}--jobs "$SLURM_CPUS_ON_NODE" --resume
JOB
)script",
                     fmt::arg("parts", parts), fmt::arg("folder", shell_word(folder.string())),
                     fmt::arg("line", line));
}

}  // namespace warpbook::lab
