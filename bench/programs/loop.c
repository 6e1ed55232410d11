int main(){ unsigned s=0; for(unsigned i=0;i<20000000;i++){ s+=i*i; s^=s>>3; } return s&1; }
