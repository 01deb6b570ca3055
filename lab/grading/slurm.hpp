// A class graded by a cluster: the script that hands its checks to Slurm.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace warpbook::lab {

/// submit.sh: an array of jobs, each of which is `command` with one part of `parts`, and then a job that makes what is missing and
/// writes the results. The jobs run in `folder`, where slurm/ takes what they print.
std::string slurm_script(std::span<const std::string> command, std::uint32_t parts,
                         const std::filesystem::path& folder);

}  // namespace warpbook::lab
