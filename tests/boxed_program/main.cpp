// What tests run in the box of whole programs (docs/program-box.md): `boxed_program NAME ARGUMENTS...` tries one thing
// and ends with 0 where it could do it, with 10 where the system refused, and with 11 where it was not asked for
// anything it knows. What attackers try must end with 10 in the box; what honest programs do, with 0.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr int kDone = 0, kRefused = 10, kUnknown = 11;

using Arguments = std::vector<std::string>;
using Attempt = std::function<bool(const Arguments&)>;

pid_t pid_of(const std::string& text) { return static_cast<pid_t>(std::stol(text)); }

// What attackers try

bool reads(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY);
  char byte = 0;
  return fd >= 0 && ::read(fd, &byte, 1) == 1;
}

bool writes(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), O_WRONLY | flags, 0644);
  return fd >= 0 && ::write(fd, "x", 1) == 1;
}

bool reads_through_link(const std::string& path) {
  ::unlink("link");
  return ::symlink(path.c_str(), "link") == 0 && reads("link");
}

/// A hard link would be a second name, within the folder, for a file outside.
bool links(const std::string& path) {
  ::unlink("second-name");
  return ::link(path.c_str(), "second-name") == 0;
}

bool moves_away(const std::string& path) { return ::rename(path.c_str(), "taken") == 0; }

bool connects_over_tcp(const std::string& port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return fd >= 0 && ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
}

bool sends_over_udp(const std::string& port) {
  const int fd = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return fd >= 0 && ::sendto(fd, "x", 1, 0, reinterpret_cast<sockaddr*>(&to), sizeof to) == 1;
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  std::strncpy(to.sun_path, path.c_str(), sizeof to.sun_path - 1);
  return to;
}

bool connects_to_unix_socket(const std::string& path) {
  const sockaddr_un to = unix_address(path);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  return fd >= 0 && ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
}

/// One of a pair of datagram sockets could be turned to somebody else.
bool sends_to_unix_socket(const std::string& path) {
  const sockaddr_un to = unix_address(path);
  std::array<int, 2> ends{-1, -1};
  return ::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends.data()) == 0 &&
         ::sendto(ends[0], "x", 1, 0, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 1;
}

bool traces(pid_t pid) {
  if (::ptrace(PTRACE_ATTACH, pid, nullptr, nullptr) != 0) return false;
  ::waitpid(pid, nullptr, 0);
  ::ptrace(PTRACE_DETACH, pid, nullptr, nullptr);
  return true;
}

bool reads_memory_of(pid_t pid, const std::string& address) {
  long value = 0;
  iovec here{&value, sizeof value};
  iovec there{reinterpret_cast<void*>(std::stoull(address)), sizeof value};
  return ::process_vm_readv(pid, &here, 1, &there, 1, 0) == sizeof value;
}

bool signals_for_a_file(pid_t pid) {
  std::array<int, 2> ends{-1, -1};
  return ::pipe(ends.data()) == 0 && ::fcntl(ends[0], F_SETOWN, pid) == 0;
}

bool limits_another(pid_t pid) {
  const rlimit none{0, 0};
  return ::prlimit(pid, RLIMIT_CORE, &none, nullptr) == 0;
}

bool becomes_root_of_a_namespace() { return ::unshare(CLONE_NEWUSER) == 0; }

bool forks_into_a_namespace() {
  const long child =
      ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) ::_exit(0);
  return child > 0;
}

bool makes_a_ring() {
  io_uring_params parameters{};
  return ::syscall(SYS_io_uring_setup, 4, &parameters) >= 0;
}

// The pages are touched, and kept: otherwise there would be nothing to refuse.
bool takes_memory(const std::string& megabytes) {
  constexpr std::size_t kPiece = 1 << 20;
  std::vector<std::unique_ptr<char[]>> pieces;
  for (long i = 0; i < std::stol(megabytes); ++i) {
    pieces.emplace_back(new (std::nothrow) char[kPiece]);
    if (!pieces.back()) return false;
    std::memset(pieces.back().get(), 1, kPiece);
  }
  return true;
}

bool forks_often(const std::string& times) {
  std::vector<pid_t> children;
  for (long i = 0; i < std::stol(times); ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::pause();
      ::_exit(0);
    }
    if (child < 0) break;
    children.push_back(child);
  }
  for (const pid_t child : children) ::kill(child, SIGKILL);
  return children.size() == static_cast<std::size_t>(std::stol(times));
}

bool fills_a_file(const std::string& megabytes) {
  ::signal(SIGXFSZ, SIG_IGN);
  const int fd = ::open("large", O_CREAT | O_WRONLY, 0644);
  const std::vector<char> piece(1 << 20);
  for (long i = 0; i < std::stol(megabytes); ++i) {
    if (::write(fd, piece.data(), piece.size()) != static_cast<ssize_t>(piece.size())) return false;
  }
  return true;
}

/// Leaves a process that is nobody's child and counts for as long as it lives.
bool leaves_a_process() {
  if (::fork() != 0) return true;
  ::setsid();
  if (::fork() != 0) ::_exit(0);
  for (int i = 0; i < 10000; ++i) {
    std::ofstream("count") << i;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ::_exit(0);
}

// What honest programs do

bool uses_threads() {
  std::vector<std::thread> threads;
  std::array<int, 8> results{};
  for (int& result : results) threads.emplace_back([&result] { result = 1; });
  for (std::thread& thread : threads) thread.join();
  for (const int result : results) {
    if (result != 1) return false;
  }
  return std::thread::hardware_concurrency() > 0;
}

bool works_in_its_folder() {
  fs::create_directories("made/deep");
  std::ofstream("made/deep/file") << "text";
  fs::rename("made/deep/file", "made/file");
  fs::copy_file("made/file", "made/copy");
  fs::resize_file("made/copy", 2);
  const auto files = std::distance(fs::directory_iterator("made"), fs::directory_iterator());
  const bool right =
      files == 3 && fs::file_size("made/copy") == 2 && fs::current_path().is_absolute();
  fs::remove_all("made");
  return right;
}

bool uses_temporary_files() {
  const fs::path folder = fs::temp_directory_path();
  std::ofstream(folder / "note") << "text";
  std::FILE* const unnamed = std::tmpfile();  // in /tmp itself, whatever $TMPDIR is
  return fs::file_size(folder / "note") == 4 && (folder != "/tmp" || unnamed != nullptr);
}

bool runs_programs() {
  std::FILE* const pipe = ::popen("/bin/echo heard", "r");
  std::array<char, 16> line{};
  const bool heard = pipe && std::fgets(line.data(), line.size(), pipe) &&
                     std::strcmp(line.data(), "heard\n") == 0;
  return heard && ::pclose(pipe) == 0 && std::system("true") == 0;
}

bool uses_devices() {
  std::ifstream random("/dev/urandom", std::ios::binary);
  char byte = 0;
  return random.get(byte) && writes("/dev/null", 0);
}

bool shares_memory_with_a_child() {
  void* const shared =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return false;
  auto* const value = static_cast<int*>(shared);
  const pid_t child = ::fork();
  if (child == 0) {
    *value = 5;
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  return *value == 5;
}

/// As the runtime does: hundreds of gigabytes of addresses, none of which is used.
bool reserves_addresses() {
  constexpr std::size_t kBytes = 512ull << 30;
  const int memory = ::memfd_create("device", 0);
  return ::ftruncate(memory, 1 << 20) == 0 &&
         ::mmap(nullptr, kBytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, memory, 0) != MAP_FAILED;
}

bool ends_itself() { std::abort(); }

const std::map<std::string, Attempt> kAttempts{
    {"read", [](const Arguments& a) { return reads(a.at(0)); }},
    {"read-link", [](const Arguments& a) { return reads_through_link(a.at(0)); }},
    {"read-descriptor",
     [](const Arguments& a) {
       char byte = 0;
       return ::pread(std::stoi(a.at(0)), &byte, 1, 0) == 1;
     }},
    {"list",
     [](const Arguments& a) {
       std::error_code error;
       return fs::directory_iterator(a.at(0), error) != fs::directory_iterator();
     }},
    {"link", [](const Arguments& a) { return links(a.at(0)); }},
    {"make", [](const Arguments& a) { return writes(a.at(0), O_CREAT | O_EXCL); }},
    {"write", [](const Arguments& a) { return writes(a.at(0), 0); }},
    {"truncate", [](const Arguments& a) { return ::truncate(a.at(0).c_str(), 0) == 0; }},
    {"remove", [](const Arguments& a) { return ::unlink(a.at(0).c_str()) == 0; }},
    {"move", [](const Arguments& a) { return moves_away(a.at(0)); }},
    {"chmod", [](const Arguments& a) { return ::chmod(a.at(0).c_str(), 0600) == 0; }},
    {"tcp", [](const Arguments& a) { return connects_over_tcp(a.at(0)); }},
    {"udp", [](const Arguments& a) { return sends_over_udp(a.at(0)); }},
    {"unix", [](const Arguments& a) { return connects_to_unix_socket(a.at(0)); }},
    {"unix-datagram", [](const Arguments& a) { return sends_to_unix_socket(a.at(0)); }},
    {"signal", [](const Arguments& a) { return ::kill(pid_of(a.at(0)), SIGUSR1) == 0; }},
    // The parent has the number 0 where it is not to be seen.
    {"signal-parent",
     [](const Arguments&) { return ::getppid() > 0 && ::kill(::getppid(), 0) == 0; }},
    {"signal-group",
     [](const Arguments&) {
       ::signal(SIGUSR1, SIG_IGN);
       return ::kill(0, SIGUSR1) == 0;
     }},
    {"signal-for-file", [](const Arguments& a) { return signals_for_a_file(pid_of(a.at(0))); }},
    {"trace", [](const Arguments& a) { return traces(pid_of(a.at(0))); }},
    {"read-memory", [](const Arguments& a) { return reads_memory_of(pid_of(a.at(0)), a.at(1)); }},
    {"limit", [](const Arguments& a) { return limits_another(pid_of(a.at(0))); }},
    {"user-namespace", [](const Arguments&) { return becomes_root_of_a_namespace(); }},
    {"fork-namespace", [](const Arguments&) { return forks_into_a_namespace(); }},
    {"ring", [](const Arguments&) { return makes_a_ring(); }},
    {"memory", [](const Arguments& a) { return takes_memory(a.at(0)); }},
    {"forks", [](const Arguments& a) { return forks_often(a.at(0)); }},
    {"fill", [](const Arguments& a) { return fills_a_file(a.at(0)); }},
    {"leave-process", [](const Arguments&) { return leaves_a_process(); }},
    {"threads", [](const Arguments&) { return uses_threads(); }},
    {"folder", [](const Arguments&) { return works_in_its_folder(); }},
    {"temporary", [](const Arguments&) { return uses_temporary_files(); }},
    {"programs", [](const Arguments&) { return runs_programs(); }},
    {"devices", [](const Arguments&) { return uses_devices(); }},
    {"share", [](const Arguments&) { return shares_memory_with_a_child(); }},
    {"addresses", [](const Arguments&) { return reserves_addresses(); }},
    {"abort", [](const Arguments&) { return ends_itself(); }},
    {"sleep",
     [](const Arguments&) {
       ::sleep(1000);
       return true;
     }},
};

}  // namespace

int main(int count, char** words) {
  const auto attempt = kAttempts.find(count > 1 ? words[1] : "");
  if (attempt == kAttempts.end()) return kUnknown;
  return attempt->second(Arguments(words + 2, words + count)) ? kDone : kRefused;
}
