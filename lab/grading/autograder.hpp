// An autograder as Gradescope takes it: a zip with setup.sh and run_autograder, whose files come to lie in /autograder/source. Nothing is
// installed there, because the program, its libraries (the C library among them), the compiler and the exercise all come along: the image may be older than the
// computer that made the zip, and need not reach the internet.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "device/compiler/toolkit.hpp"
#include "lab/exercise/exercise.hpp"
#include "lab/grading/zip.hpp"

namespace warpbook::lab {

struct Autograder {
  ExerciseText exercise;
  std::uint64_t seed = 0;  ///< the key of the hidden cases
  std::string language;
  std::string no_source;          ///< what a student reads who uploads no source file
  std::filesystem::path root;     ///< of the book
  std::filesystem::path program;  ///< warpbook
  std::vector<std::filesystem::path>
      libraries;  ///< that the program is linked with, the loader among them
  device::Toolkit toolkit;
};

/// Errors: file_unreadable.
device::Expected<std::vector<ZipEntry>> autograder_files(const Autograder& autograder);

}  // namespace warpbook::lab
