// Programs that stand in for nvdisasm: shell scripts that do what a test wants, and a listing as nvdisasm would write it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "device/compiler/compiler.hpp"
#include "device/simulator/cubin/cubin.hpp"
#include "device/simulator/cubin/elf.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::tests {

/// A program in `folder` that does what `script` says, by sh.
inline std::filesystem::path stand_in(const TemporaryFolder& folder, const std::string& script,
                                      const std::string& name = "nvdisasm") {
  const std::filesystem::path file = folder.write(name, "#!/bin/sh\n" + script + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

/// One that writes `text` whatever it is asked.
inline std::filesystem::path stand_in_writing(const TemporaryFolder& folder,
                                              const std::string& text) {
  const std::filesystem::path said = folder.write("said.txt", text);
  return stand_in(folder, "exec cat " + said.string());
}

/// All functions of a program's cubin with their own bits, in nvdisasm's layout: instruction number 3 is called "OP3 R1, 0x3".
inline std::string listing_of(const device::Program& program) {
  using namespace device;
  std::string text = "\t.headerflags\t@\"EF_CUDA_SM90\"\n";
  const auto kernels = read_cubin(program.cubin);
  const auto elf = read_elf(program.cubin);
  if (!kernels || !elf) return text;
  for (const CubinKernel& kernel : *kernels) {
    const ElfSection* section = elf->section(".text." + kernel.name);
    const auto bits = section ? elf->contents(*section) : std::nullopt;
    if (!bits) continue;
    text += fmt::format(
        "//------- .text.{0} "
        "-------\n\t.section\t.text.{0},\"ax\",@progbits\n\t.sectioninfo\t@\"x\"\n{0}:\n",
        kernel.name);
    for (std::uint64_t at = 0; at + 16 <= bits->size(); at += 16) {
      text += fmt::format(
          "        /*{0:04x}*/                   OP{1} R1, {1:#x} ;   /* {2:#018x} */\n"
          "                                                   /* {3:#018x} */\n",
          at, at / 16, *bits->at<std::uint64_t>(at), *bits->at<std::uint64_t>(at + 8));
    }
  }
  return text;
}

}  // namespace warpbook::tests
