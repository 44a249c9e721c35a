#include "cli/run_command.h"

int main(int argc, char** argv) {
  return softwood::cli::run_command(argc, argv);
}
